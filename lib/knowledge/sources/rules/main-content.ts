/**
 * Finds the part of a page that is its content, and leaves out what repeats on every page: menus, headers, footers, lists of
 * links. It scores blocks as Readability does (https://github.com/mozilla/readability), in one pass over the tree, so the work
 * is linear in the size of the page.
 *
 * Readability itself on linkedom reads real pages better. But it has no bound for hostile pages: on a busy machine, 20,000 links
 * took 8 s instead of 1 s, and 20,000 nested elements did not end in 12 s. `test/lib/knowledge/sources/real-pages.test.ts`
 * compares both on 41 real pages.
 */

import { isText, type Node, type Parent, walk } from '../../chunks/html.ts';

/** What is known of an element and of everything below it. */
type Measure = {
  textLength: number;
  linkLength: number;
  /** How much its paragraphs speak for it. */
  score: number;
};

export type Measures = Map<Node, Measure>;

const paragraphs = new Set(['p', 'pre', 'blockquote', 'dd', 'li', 'td', 'h2', 'h3', 'h4', 'figcaption']);
const unlikelyRoles = new Set([
  'navigation',
  'menu',
  'menubar',
  'complementary',
  'banner',
  'contentinfo',
  'search',
  'dialog',
  'alertdialog',
  'alert',
]);
const unlikelyElements = new Set(['aside', 'footer', 'button', 'select', 'dialog', 'menu', 'svg', 'form']);
/** Names of blocks that repeat on every page. */
const unlikelyWords =
  'ad-break agegate breadcrumb breadcrumbs combx comment comments consent cookie cookies disqus footer footnav gdpr masthead ' +
  'menu modal nav navbar navigation newsletter noprint outbrain pager pagination popup promo related share sharing sidebar ' +
  'skyscraper social sponsor subscribe syndication table-of-contents taboola toc toolbar widget yom-remote';
const unlikelyIds = new Set(unlikelyWords.split(' '));

const unlikelyWord = `(?:${unlikelyWords.replaceAll(' ', '|')})`;
/** One of the names is such a word, starts with it or ends with it: `sidebar`, `sidebar-left`, `page-sidebar`. */
const unlikelyName = new RegExp(`(?<!\\S)${unlikelyWord}(?![^\\s-])|(?<![^\\s-])${unlikelyWord}(?!\\S)`);

/** Signs beside a heading, inside of a line. */
const unlikelyInline = /\b(?:headerlink|editsection|mw-jump-link|skip-link)\b/;
const blocks = new Set(['div', 'section', 'ul', 'ol', 'dl', 'table', 'details', 'p', 'figure']);
const likelyNames =
  /\b(?:article|body|column|content|entry|main|post|story|text|blog|prose|markdown|documentation)\b/;

/** A short text that is mostly links is no content. */
const maxLinkShare = 0.5;
const minTextLength = 25;

const attribute = (node: Node, name: string): string =>
  ('attrs' in node ? node.attrs.find((one) => one.name === name)?.value : undefined) ?? '';

const nameIn = (node: Node, name: 'class' | 'id'): string =>
  attribute(node, name).slice(0, 500).toLowerCase().replaceAll('_', '-');

/** @returns whether the element is no content, by what it says of itself */
function isUnlikely(node: Node): boolean {
  if (!('tagName' in node)) return false;
  const { tagName } = node;
  if (tagName === 'body' || tagName === 'html' || tagName === 'main' || tagName === 'article') return false;
  if (unlikelyElements.has(tagName) || unlikelyRoles.has(attribute(node, 'role'))) return true;
  if (isHidden(node)) return true;
  if (tagName === 'header') return !isInContent(node);
  const classes = nameIn(node, 'class');
  if (!blocks.has(tagName)) return unlikelyInline.test(classes);
  const id = nameIn(node, 'id');
  // In documentation, an id is often a heading in words, so only a whole id counts.
  return (unlikelyName.test(classes) || unlikelyIds.has(id)) && !likelyNames.test(`${classes} ${id}`);
}

const isHidden = (node: Node): boolean =>
  'attrs' in node &&
  (node.attrs.some(({ name }) => name === 'hidden') ||
    attribute(node, 'aria-hidden') === 'true' ||
    /display\s{0,5}:\s{0,5}none/i.test(attribute(node, 'style').slice(0, 500)));

/** The header of an article has its title, the header of a page has a menu. */
function isInContent(node: Node): boolean {
  const { parentNode } = node;
  return parentNode !== null && (parentNode.nodeName === 'article' || parentNode.nodeName === 'main');
}

const maxShare = 3;
const ancestorShares = [1, 0.5, 0.25];

/** @returns what is known of each element that may be content */
function measure(roots: readonly Node[]): Measures {
  const measures: Measures = new Map();
  const links = { open: 0 };
  const of = (node: Node | Parent | null): Measure | undefined =>
    node && 'parentNode' in node ? measures.get(node) : undefined;
  walk(
    roots,
    (node) => {
      if (isText(node)) {
        const parent = of(node.parentNode);
        const length = node.value.trim().length;
        if (parent) {
          parent.textLength += length;
          if (links.open > 0) parent.linkLength += length;
        }
        return undefined;
      }
      if (!('tagName' in node) || skipped.has(node.tagName) || isUnlikely(node)) return undefined;
      if (node.tagName === 'a') links.open += 1;
      measures.set(node, { textLength: 0, linkLength: 0, score: 0 });
      return node.childNodes;
    },
    (node) => {
      if (node.nodeName === 'a') links.open -= 1;
      const own = of(node);
      if (!own || !('parentNode' in node)) return;
      if (paragraphs.has(node.nodeName) && own.textLength >= minTextLength) {
        const plain = own.textLength - own.linkLength;
        const points = 1 + Math.min(Math.floor(plain / 100), maxShare);
        let ancestor: Node | Parent | null = node.parentNode;
        for (const share of ancestorShares) {
          const found = of(ancestor);
          if (found) found.score += plain > 0 ? points * share : 0;
          ancestor = ancestor && 'parentNode' in ancestor ? ancestor.parentNode : null;
        }
      }
      const parent = of(node.parentNode);
      if (parent) {
        parent.textLength += own.textLength;
        parent.linkLength += own.linkLength;
      }
    },
  );
  return measures;
}

const skipped = new Set([
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'nav',
  'iframe',
  'svg',
  'link',
  'meta',
]);

const linkShare = ({ textLength, linkLength }: Measure) => (textLength === 0 ? 0 : linkLength / textLength);

/**
 * @param roots the children of the document
 * @returns the node with the content, and a function that says which elements below it are left out
 */
export function mainContent(roots: readonly Node[]): {
  content: readonly Node[];
  isLeftOut(node: Node): boolean;
} {
  const measures = measure(roots);
  let whole = 0;
  for (const { textLength } of measures.values()) whole = Math.max(whole, textLength);
  const content = marked(measures, whole) ?? best(measures, whole);
  return {
    content: content === undefined ? roots : [content],
    isLeftOut: (node) => 'tagName' in node && (isUnlikely(node) || isLinkList(node, measures.get(node))),
  };
}

/** A page says itself where its content is: the only `<main>`, or the only `<article>`, if it has enough of the text. */
function marked(measures: Measures, whole: number): Node | undefined {
  for (const isMark of [
    (node: Node) => node.nodeName === 'main' || attribute(node, 'role') === 'main',
    (node: Node) => node.nodeName === 'article' || attribute(node, 'itemprop') === 'articleBody',
  ]) {
    const found = [...measures].filter(([node]) => isMark(node));
    const [first] = found;
    if (found.length === 1 && first && first[1].textLength >= whole * minMarkedShare) return first[0];
  }
  return undefined;
}

const minMarkedShare = 0.3;

/** The block with the best score, or the largest one around it that is not much worse. */
function best(measures: Measures, whole: number): Node | undefined {
  let top: { node: Node; score: number } | undefined;
  for (const [node, measured] of measures) {
    const names = `${nameIn(node, 'class')} ${nameIn(node, 'id')}`;
    const bonus = likelyNames.test(names) ? 1.25 : 1;
    const score = measured.score * (1 - linkShare(measured)) * bonus;
    if (score > 0 && (top === undefined || score > top.score)) top = { node, score };
  }
  if (!top) return undefined;
  // Its text may be divided among several blocks beside each other.
  for (let { node } = top; ; ) {
    const parent: Node | Parent | null = 'parentNode' in node ? node.parentNode : null;
    const around = parent && 'parentNode' in parent ? measures.get(parent) : undefined;
    const own = measures.get(node);
    if (!around || !own || !parent || !('parentNode' in parent) || parent.nodeName === 'html') return node;
    const isMore = around.textLength - around.linkLength > 1.2 * (own.textLength - own.linkLength);
    const isDense = linkShare(around) < Math.max(linkShare(own) + 0.15, 0.25);
    if (parent.nodeName === 'body' && own.textLength > whole * 0.4) return node;
    if (isMore && !isDense) return node;
    node = parent;
  }
}

const lists = new Set(['ul', 'ol', 'div', 'section', 'table', 'dl']);

function isLinkList(node: Node, measured: Measure | undefined): boolean {
  if (!measured || !lists.has(node.nodeName) || measured.textLength === 0) return false;
  const isLong = measured.textLength > 400;
  return linkShare(measured) > (isLong ? 0.85 : maxLinkShare + 0.2) && measured.score < 4;
}
