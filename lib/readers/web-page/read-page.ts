/** Reads a page: its title, its main content as Markdown, and its links. Pure. The work is bounded by the size of the page. */

import { isText, type Node, parseBounded, walk, writeOutline } from '../html.ts';
import { cutTo } from '../sections.ts';
import { mainContent } from './main-content.ts';

export type ReadPage = {
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
  const roots = parseBounded(html).childNodes;
  const content = mainContent(roots);
  const text = content === undefined ? '' : markdownOf(parseBounded(content).childNodes);
  if (text.length >= minLength) return { ...headOf(roots), text };
  // A page of only lists of links has no other content, and some pages call their content a sidebar.
  const wholeText = markdownOf(roots);
  return { ...headOf(roots), text: text.length < wholeText.length * minShare ? wholeText : text };
}

/** @returns one line per block, and headings with their `#` */
function markdownOf(nodes: readonly Node[]): string {
  const lines: string[] = [];
  const outline = {
    // A line of code that starts with `#` is no heading.
    line: (text: string) => void lines.push(text.replace(/^#/gm, ' #')),
    heading: (level: number, title: string) => void lines.push('', `${'#'.repeat(level)} ${title}`, ''),
  };
  writeOutline(nodes, outline);
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
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
  return { title: cutTo(title, maxTitleLength).trim(), links, isCut, base };
}

const textOf = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => (isText(node) ? node.value : ''))
    .join('')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
