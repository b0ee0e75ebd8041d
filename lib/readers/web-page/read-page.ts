/** Reads a page: its title, its main content as Markdown, and its links. Pure. The work is bounded by the size of the page. */

import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom/worker';
import { serializeOuter } from 'parse5';
import { isText, type Node, parseBounded, walk } from '../html/parse.ts';
import { readNodes } from '../html/read.ts';
import { asHtml } from '../html/xhtml.ts';
import { markdownWriter } from '../markdown.ts';
import { cutTo } from '../sections.ts';
import { type PageHead, readHead } from './page-head.ts';

export type ReadPage = {
  head: PageHead;
  /** Empty if the page has none. */
  title: string;
  /** Markdown. */
  text: string;
  /** The addresses of its links as they are written, in their order. */
  links: string[];
  /** Whether it has more links. */
  isCut: boolean;
  /** The address to which its links are relative, if it says so. */
  base: string | undefined;
};

const maxTitleLength = 200;
/** Menus repeat links, and an item has room for about so many. */
const maxLinks = 2000;

/** A text that is shorter than this length, and than this share of the page's text, is not the content of the page. */
const minLength = 500;
const minShare = 0.05;

/** @throws TooComplex if the markup expands too far */
export function readPage(html: string): ReadPage {
  const roots = parseBounded(asHtml(html)).childNodes;
  const content = mainContent(roots);
  const text = content === undefined ? '' : markdownOf(parseBounded(content).childNodes);
  if (text.length >= minLength) return { ...headOf(roots), text };
  // A page of only lists of links has no other content, and some pages call their content a sidebar.
  const wholeText = markdownOf(roots);
  return { ...headOf(roots), text: text.length < wholeText.length * minShare ? wholeText : text };
}

function markdownOf(nodes: readonly Node[]): string {
  const markdown = markdownWriter();
  readNodes(nodes, markdown.write);
  return markdown.text();
}

function headOf(roots: readonly Node[]): Omit<ReadPage, 'text'> {
  const links: string[] = [];
  const seen = new Set<string>();
  let isCut = false;
  let title = '';
  let base: string | undefined;
  walk(
    roots,
    (node) => {
      if (!('tagName' in node)) return undefined;
      const { tagName, attrs } = node;
      const href = attrs.find(({ name }) => name === 'href')?.value.trim();
      if (tagName === 'base') base ??= href;
      const isLink = tagName === 'a' || tagName === 'area';
      if (isLink && href && !seen.has(href)) {
        if (links.length === maxLinks) isCut = true;
        else {
          seen.add(href);
          links.push(href);
        }
      }
      if (tagName === 'title' && title === '') title = textOf(node.childNodes);
      // The title of an image is not that of the page.
      return tagName === 'svg' ? undefined : node.childNodes;
    },
    () => {},
  );
  return { head: readHead(roots), title: cutTo(title, maxTitleLength).trim(), links, isCut, base };
}

const textOf = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => (isText(node) ? node.value : ''))
    .join('')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/**
 * Readability climbs from most elements up to the root, several times, and its document keeps attributes in a list. So an element
 * counts as often as it has ancestors and attributes. The largest pages of Readability's own tests count 125 000.
 */
const maxWork = 250_000;

/**
 * Takes the main content of a page, without menus, headers, footers and lists of links, with Mozilla's Readability.
 * @param roots the children of the document
 * @returns the HTML of the content; undefined if the page has none, or is too complex for it
 */
function mainContent(roots: readonly Node[]): string | undefined {
  const root = roots.find(({ nodeName }) => nodeName === 'html');
  if (!root || !('tagName' in root) || !isSimple(root)) return undefined;
  try {
    const { document } = parseHTML(serializeOuter(root));
    // JSON-LD has only the title, the author and a summary.
    return new Readability(document, { disableJSONLD: true }).parse()?.content ?? undefined;
  } catch {
    // Both libraries fail for some markup that no page has, such as 4 MB of class names.
    return undefined;
  }
}

function isSimple(root: Node): boolean {
  let work = 0;
  let depth = 0;
  walk(
    [root],
    (node) => {
      if (!('tagName' in node)) return undefined;
      work += depth + node.attrs.length;
      depth += 1;
      return node.childNodes;
    },
    () => {
      depth -= 1;
    },
  );
  return work <= maxWork;
}
