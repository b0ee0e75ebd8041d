/** How a browser shows each element of HTML. */

import { attributeOf, type Element, styleOf } from './parse.ts';

/** Phrasing content, which does not end a word. Every other element does, including unknown ones. */
const inline = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label map mark nobr output q rb rt rtc ' +
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

/** Separators between two words, weakest first. */
export const separators = ['', ' ', '; ', '\n', '\n\n'] as const;
export type Separator = (typeof separators)[number];

export function separatorOf(name: string): Separator {
  if (inline.has(name)) return '';
  if (inlineBoxes.has(name)) return ' ';
  return paragraphs.has(name) ? '\n\n' : '\n';
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** @returns 1 to 6; 0 for an element that is no heading */
export const headingLevel = (name: string): number => headings.indexOf(name) + 1;

/** Elements whose text is shown as it is written. */
export const isCode = (name: string): boolean =>
  name === 'pre' || name === 'listing' || name === 'xmp' || name === 'plaintext';

export const isList = (name: string): boolean =>
  name === 'ol' || name === 'ul' || name === 'menu' || name === 'dir';

export const isCell = (name: string): boolean => name === 'td' || name === 'th';

/** Elements that contain no text of the page. The parentheses of `rp` are for browsers without ruby. */
const invisible = new Set(
  (
    'annotation annotation-xml area base datalist desc head link meta metadata param rp script source style template ' +
    'title track'
  ).split(' '),
);

/** Elements whose visible text is omitted: content that repeats on every page, embedded pages and their fallbacks. */
const omitted = new Set(['nav', 'iframe', 'noembed', 'noframes']);

export const isOmitted = (name: string): boolean => omitted.has(name);

/** Whether a browser shows the element. What is found by the search in the page is content. */
export function isShown(element: Element): boolean {
  const { tagName } = element;
  if (invisible.has(tagName)) return false;
  // Scripts show a page that is hidden as a whole.
  if (tagName === 'html' || tagName === 'body' || element.attrs.length === 0) return true;
  const hidden = attributeOf(element, 'hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return false;
  return styleOf(element, 'display') !== 'none' && styleOf(element, 'visibility') !== 'hidden';
}
