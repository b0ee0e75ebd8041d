/** Finds the title of a document in its front matter or its first heading. All functions take time in proportion to the text. */

/** The API's limit, in characters. */
const maxCharacters = 200;

export type TextType = 'text/markdown' | 'text/html' | 'text/plain';

/** @returns the text of the first heading (of HTML, of its first h1, or its title), which can be a title; undefined without one */
export function titleIn(content: string, mimeType: TextType): string | undefined {
  if (mimeType === 'text/markdown') return titleFrom(markdownHeading(content));
  if (mimeType === 'text/html') return htmlTitle(content);
  return undefined;
}

/** @returns a title: on one line, visible and well-formed; undefined if nothing is visible */
export function titleFrom(text: string | undefined): string | undefined {
  const line = (text ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  // Half of a surrogate pair has no form in UTF-8.
  const title = Array.from(line.replace(/\p{Cs}/gu, '\ufffd'))
    .slice(0, maxCharacters)
    .join('')
    .trim();
  return /[^\s\p{Cf}\p{Z}]/u.test(title) ? title : undefined;
}

/**
 * The first ATX or setext heading (CommonMark 0.31.2, sections 4.2 and 4.3) that is not in a fenced code block or a comment.
 */
function markdownHeading(content: string): string | undefined {
  let fence = '';
  let isComment = false;
  let previous = '';
  for (const line of content.split(/\r\n|\n|\r/)) {
    const text = line.trim();
    // A line that begins with four spaces is code.
    const isCode = /^(?: {4}| {0,3}\t)/.test(line);
    if (isComment) isComment = !text.includes('-->');
    else if (fence !== '') {
      if (text.startsWith(fence) && text === fence[0]?.repeat(text.length)) fence = '';
    } else if (isCode) previous = '';
    else if (text.startsWith('```') || text.startsWith('~~~')) {
      fence = /^(?:`+|~+)/.exec(text)?.[0] ?? '';
      previous = '';
    } else if (text.startsWith('<!--')) {
      isComment = !text.includes('-->');
      previous = '';
    } else {
      const heading = atxHeading(text);
      if (heading) return plainText(heading);
      if (/^(?:=+|-+)$/.test(text) && previous !== '') return plainText(previous);
      // A line of a list, a quote or a table is no heading, whatever is below it.
      previous = /^(?:[-*+>|#]|\d+[.)])/.test(text) ? '' : text;
    }
  }
  return undefined;
}

/** Reads a heading without a regular expression, which would backtrack. */
function atxHeading(line: string): string | undefined {
  let level = 0;
  while (line[level] === '#') level += 1;
  if (level < 1 || level > 6 || (line[level] !== ' ' && line[level] !== '\t')) return undefined;
  const title = line.slice(level).trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  const isClosed = end === 0 || title[end - 1] === ' ' || title[end - 1] === '\t';
  return (isClosed ? title.slice(0, end).trim() : title) || undefined;
}

/** @returns the text without the marks of links, code and bold text */
const plainText = (markdown: string): string =>
  markdown.replace(/!?\[([^[\]]*)\]\([^()[\]]*\)/g, '$1').replace(/[`]|\*\*|__/g, '');

/** @returns the text of the first h1 that has a text, or of the title */
function htmlTitle(html: string): string | undefined {
  const text = withoutHidden(html);
  return firstElement(text, 'h1') ?? firstElement(text, 'title');
}

/** Removes comments, scripts, styles and templates: a heading in them does not count. */
function withoutHidden(html: string): string {
  const lower = inLowerCase(html);
  const parts: string[] = [];
  let from = 0;
  for (const { 0: opening, index } of lower.matchAll(/<!--|<(?:script|style|template|svg)(?=[\s/>])/g)) {
    if (index < from) continue;
    parts.push(html.slice(from, index));
    const closing = opening === '<!--' ? '-->' : `</${opening.slice(1)}`;
    const end = lower.indexOf(closing, index + opening.length);
    if (end < 0) return parts.join('');
    from = end + closing.length;
  }
  return parts.join('') + html.slice(from);
}

function firstElement(html: string, name: string): string | undefined {
  const lower = inLowerCase(html);
  let at = 0;
  for (;;) {
    const start = lower.indexOf(`<${name}`, at);
    if (start < 0) return undefined;
    at = start + name.length + 1;
    // The name of the element may be longer, such as h10.
    if (!/[\s/>]/.test(lower[at] ?? '')) continue;
    const tagEnd = lower.indexOf('>', at);
    const end = tagEnd < 0 ? -1 : lower.indexOf(`</${name}`, tagEnd);
    if (end < 0) return undefined;
    const inner = html.slice(tagEnd + 1, end).replace(/<[^<>]*>/g, '');
    const title = titleFrom(withoutReferences(inner));
    if (title) return title;
    at = end;
  }
}

/** Changes only ASCII letters, because other letters may change the length of a text. */
const inLowerCase = (html: string): string => html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Replaces character references (WHATWG HTML, section 13.5): the usual names, and numbers. */
const withoutReferences = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,6}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(references, name) ? (references[name] ?? whole) : whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0x10ffff ? whole : String.fromCodePoint(point);
  });
