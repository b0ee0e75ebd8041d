/** Whether a text is HTML, a page or a part of one, and not Markdown that begins with HTML. The work is linear in the text. */

/** The elements with which a part of a page may begin. A drawing is no page. */
const elements = new Set(
  (
    'a abbr address article aside b base big blockquote body br button caption center cite code dd del details dfn div dl dt em embed ' +
    'fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd ' +
    'label legend li link main map mark menu meta nav noscript object ol p picture pre q s samp script search section ' +
    'select small span strike strong style sub summary sup table tbody td template textarea tfoot th thead time title tr tt u ul ' +
    'var video'
  ).split(' '),
);

/** A text behind these elements is HTML, although they are not closed. */
const unclosed = new Set('p li td th tr dt dd br hr'.split(' '));

/** The beginning of a text shows whether it is HTML. */
const judgedLength = 64 * 1024;

/** @param text may begin with a byte order mark, white space and comments */
export function isHtml(text: string): boolean {
  const start = contentStart(text);
  if (start === undefined) return false;
  const rest = text.slice(start, start + judgedLength);
  if (/^<!doctype\s+html[\s>]/i.test(rest)) return true;
  const [tag = '', name = '', attributes = ''] = /^<([a-z][a-z0-9-]*)((?:\s[^<>]*)?\/?)>/i.exec(rest) ?? [];
  const element = name.toLowerCase();
  if (!elements.has(element) && !element.includes('-')) return false;
  const behind = rest.slice(tag.length);
  const isPage = element === 'html' || element === 'head' || element === 'body';
  if (isPage && (attributes !== '' || behind.trimStart().startsWith('<'))) return true;
  if (attributes === '' && isProse(element, behind)) return false;
  return !isMarkdown(rest);
}

/** @returns where the text begins behind comments and declarations; undefined if one does not end */
export function contentStart(text: string): number | undefined {
  const space = /[^\s\ufeff]/g;
  let at = 0;
  if (text.startsWith('\xef\xbb\xbf')) at = 3;
  else if (text.startsWith('\xff\xfe') || text.startsWith('\xfe\xff')) at = 2;
  for (;;) {
    space.lastIndex = at;
    at = space.exec(text)?.index ?? text.length;
    const close = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '>' : undefined;
    if (close === undefined) return at;
    const end = text.indexOf(close, at + 2);
    if (end === -1) return undefined;
    at = end + close.length;
  }
}

/** Whether a sentence begins with the name of an element: `<head> is an element`. */
function isProse(element: string, behind: string): boolean {
  const [line = ''] = behind.split('\n', 1);
  const hasText = line.trim() !== '' && !line.trimStart().startsWith('<');
  const isClosed = behind.toLowerCase().includes(`</${element}`);
  return hasText && !unclosed.has(element) && (element === 'head' || !isClosed);
}

const rawElements = /<(!--|script|style|pre|textarea|svg)/gi;

/** @returns the text without the contents of elements that are written for browsers: these contents are no sign of Markdown */
function withoutRaw(text: string): string {
  const lower = text.toLowerCase();
  let result = '';
  let at = 0;
  rawElements.lastIndex = 0;
  for (const { index, 1: name = '' } of text.matchAll(rawElements)) {
    if (index < at) continue;
    const end = lower.indexOf(name === '!--' ? '-->' : `</${name.toLowerCase()}`, index + 4);
    result += `${text.slice(at, index)}<${name}>`;
    at = end === -1 ? text.length : end;
  }
  return result + text.slice(at);
}

/** A heading, an item, code, a quotation, a row of a table, a link or a picture. */
const mark = /^(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|```|~~~|>\s|\||!?\[)|\*\*[^\s*]|\]\(|`[^`\s]/;

/**
 * HTML in Markdown ends at an empty line (CommonMark 0.31.2, section 4.6). So a line of text behind an empty line, or a text before any
 * tag, speaks for Markdown, in particular with marks of Markdown. Text within tags speaks for HTML.
 */
function isMarkdown(text: string): boolean {
  let [markdown, html] = [0, 0];
  let block: 'none' | 'html' | 'html with text' | 'text' = 'none';
  for (const line of withoutRaw(text).split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '') {
      block = 'none';
      continue;
    }
    if (block === 'none' || block === 'text') {
      if (isTagLine(trimmed)) block = 'html';
      else {
        // In HTML, deep lines are parts of elements. In Markdown, they are code.
        const isDeep = line.length - line.trimStart().length > 3;
        if (block === 'none' && !isDeep) markdown += 1;
        if (block === 'none' && /<\/[a-z]/i.test(trimmed)) html += 1;
        if (!isDeep && mark.test(trimmed)) markdown += 3;
        block = 'text';
      }
    }
    // Pages of Markdown have their title and what they fold away in tags, too.
    const isText =
      !/^<\/?(?:details|summary)\b/i.test(trimmed) && trimmed.replace(/<[^<>]*>/g, '').trim() !== '';
    if (block === 'html' && isText) {
      block = 'html with text';
      html += 1;
    }
  }
  return markdown > html;
}

/** Whether the line begins a block of HTML: with a tag of one, or with any tag that is alone in its line. */
function isTagLine(line: string): boolean {
  const [tag = '', name = ''] = /^<\/?([a-z][a-z0-9-]*)(?=[\s/>]|$)[^<>]*>?/i.exec(line) ?? [];
  if (tag === '') return line.startsWith('<!--');
  return !phrasing.has(name.toLowerCase()) || line === tag;
}

/** A paragraph of Markdown may begin with these elements. */
const phrasing = new Set(
  'a abbr b big br button cite code del dfn em font i img input ins kbd label mark picture q s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
);
