/**
 * Converts HTML to sections of text, close to a browser's `innerText`: each block on its own line, the cells of a row
 * side by side, headings as headings. The work is linear in the size of the source, with any nesting.
 */

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { markdownTable } from './html-table.ts';
import { createOutline, type Section } from './sections.ts';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Parent = DefaultTreeAdapterTypes.ParentNode;

/**
 * The source of a document has at most 68 000 tags. But formatting that is never closed is reopened in each paragraph,
 * so n tags can make n² / 4 elements ("Reconstruct the active formatting elements", HTML Standard 13.2.4.3).
 */
const maxElements = 150_000;

/** The markup expands to too many elements. */
export class TooComplex extends Error {}

/** Phrasing content, which does not end a word. Every other element does, including unknown ones. */
const inline = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label map mark nobr output q rb rp rt rtc ' +
    'ruby s samp slot small span strike strong sub sup time tt u var wbr'
  ).split(' '),
);

const inlineBoxes = new Set(
  'audio button canvas embed img input math meter object picture progress select svg textarea video'.split(
    ' ',
  ),
);

/** Blocks with an empty line before and after, at which long text may be split. */
const paragraphs = new Set(
  (
    'article aside blockquote body center details dialog dir dl fieldset figure footer form header hgroup hr html ' +
    'listing main menu ol p plaintext pre search section table ul xmp h1 h2 h3 h4 h5 h6'
  ).split(' '),
);

const cells = new Set(['td', 'th']);
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const preformatted = new Set(['pre', 'listing', 'plaintext', 'textarea', 'xmp']);
/** Elements that contain no text of the page. */
const invisible = new Set('area base head link meta param script source style template track'.split(' '));
/** Elements whose visible text is omitted: content that repeats on every page, embedded pages and their fallbacks. */
const omittedNames = new Set(['nav', 'iframe', 'noembed', 'noframes']);

/** Separators between two words, weakest first. The strongest of several adjacent ones is written. */
const separators = ['', ' ', '\t', '\n', '\n\n'] as const;
type Separator = (typeof separators)[number];

function separatorOf(name: string): Separator {
  if (inline.has(name)) return '';
  if (inlineBoxes.has(name)) return ' ';
  if (cells.has(name)) return '\t';
  return paragraphs.has(name) ? '\n\n' : '\n';
}

/** Takes the headings and lines of a page in order. */
type Outline = { line(text: string): void; heading(level: number, title: string): void };

/**
 * @param source HTML, a whole page or a part of one
 * @returns its sections, and the number of omitted elements per name that may contain text
 * @throws TooComplex
 */
export function htmlSections(source: string): { sections: Section[]; omittedCounts: Map<string, number> } {
  const outline = createOutline();
  const leftOut = outlineHtml(source, outline, maxElements);
  return { sections: outline.sections(), omittedCounts: leftOut };
}

/**
 * @param elementLimit the number of elements that the source may make
 * @returns the number of omitted elements per name that may contain text
 * @throws TooComplex
 */
export const outlineHtml = (source: string, outline: Outline, elementLimit: number): Map<string, number> =>
  writeOutline(parseBounded(source, elementLimit).childNodes, outline);

/**
 * Writes the text of nodes to an outline.
 * @returns the number of omitted elements per name that may contain text
 */
export function writeOutline(nodes: readonly Node[], outline: Outline): Map<string, number> {
  const omitted = new Map<string, number>();
  const body = textWriter();
  const numbers = new Map<Parent, number>();
  let preformattedDepth = 0;
  let heading: { element: Node; level: number; title: ReturnType<typeof textWriter> } | undefined;

  const enter = (node: Node): readonly Node[] | undefined => {
    const text = heading?.title ?? body;
    if (isText(node)) text.write(node.value, preformattedDepth > 0);
    if (!('tagName' in node) || invisible.has(node.tagName)) return undefined;
    const { tagName } = node;
    text.separate(separatorOf(tagName));
    const table = tagName === 'table' && !heading ? markdownTable(node, textOf) : undefined;
    if (table !== undefined) {
      text.write(table, true);
      text.separate('\n\n');
      return undefined;
    }
    if (omittedNames.has(tagName)) {
      omitted.set(tagName, (omitted.get(tagName) ?? 0) + 1);
      return undefined;
    }
    if (tagName === 'li') text.mark(markOf(node.parentNode));
    if (preformatted.has(tagName)) preformattedDepth += 1;
    const level = headings.indexOf(tagName) + 1;
    if (level > 0 && !heading) {
      outline.line(body.take());
      heading = { element: node, level, title: textWriter() };
    }
    return node.childNodes;
  };
  const leave = (node: Node): void => {
    if (preformatted.has(node.nodeName)) preformattedDepth -= 1;
    if (heading?.element === node) {
      outline.heading(heading.level, heading.title.take().replace(/\s+/g, ' '));
      heading = undefined;
      return;
    }
    const text = heading?.title ?? body;
    text.separate(separatorOf(node.nodeName));
    if (node.nodeName === 'li') text.mark('');
  };
  const markOf = (list: Parent | null): string => {
    if (list?.nodeName !== 'ol') return '* ';
    const number = (numbers.get(list) ?? 0) + 1;
    numbers.set(list, number);
    return `${number}. `;
  };

  walk(nodes, enter, leave);
  outline.line(body.take());
  return omitted;
}

/** @returns the text of an element in a table, with its white space collapsed */
function textOf({ childNodes }: Parent): string {
  const text = textWriter();
  walk(
    childNodes,
    (node) => {
      if (isText(node)) text.write(node.value, false);
      if (!('tagName' in node) || invisible.has(node.tagName)) return undefined;
      text.separate(separatorOf(node.tagName));
      return node.childNodes;
    },
    (node) => text.separate(separatorOf(node.nodeName)),
  );
  return text.take();
}

/** @throws TooComplex */
export function parseBounded(source: string, elementLimit = maxElements): Parent {
  let elements = 0;
  return parse(source, {
    // Scripts do not run, so <noscript> is content.
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...args) {
        elements += 1;
        if (elements > elementLimit)
          throw new TooComplex(`the markup makes more than ${elementLimit} elements`);
        return defaultTreeAdapter.createElement(...args);
      },
    },
  });
}

/**
 * Visits nodes depth first, with an explicit stack, because elements may be nested deeper than the call stack.
 * @param enter returns the children; undefined to skip the element
 */
export function walk(
  roots: readonly Node[],
  enter: (node: Node) => readonly Node[] | undefined,
  leave: (node: Node) => void,
): void {
  const stack: { node: Node | undefined; children: readonly Node[]; next: number }[] = [
    { node: undefined, children: roots, next: 0 },
  ];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const child = top.children[top.next];
    top.next += 1;
    const children = child && enter(child);
    if (children) stack.push({ node: child, children, next: 0 });
    if (child) continue;
    stack.pop();
    if (top.node) leave(top.node);
  }
}

export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text';

/** Text with the white space of HTML collapsed (CSS Text Module Level 3, section 4.1.1). */
function textWriter() {
  let text = '';
  let nextSeparator: Separator = '';
  let prefix = '';
  const separate = (separator: Separator): void => {
    if (separators.indexOf(separator) > separators.indexOf(nextSeparator)) nextSeparator = separator;
  };
  const add = (words: string): void => {
    if (words === '') return;
    text += (text === '' ? '' : nextSeparator) + prefix + words;
    nextSeparator = '';
    prefix = '';
  };
  return {
    separate,
    /** The separator before the next text. */
    mark(mark: string): void {
      prefix = mark;
    },
    write(value: string, isRaw: boolean): void {
      if (isRaw) {
        add(value);
        return;
      }
      const words = value.split(/[\t\n\f\r ]+/);
      if (words[0] === '') separate(' ');
      add(words.filter(Boolean).join(' '));
      if (words.at(-1) === '') separate(' ');
    },
    /** @returns the text written so far, and clears it */
    take(): string {
      const result = text;
      text = '';
      nextSeparator = '';
      return result;
    },
  };
}
