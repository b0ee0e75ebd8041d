/** Splits a document into sections: a heading, and the text below it up to the next heading. A text may also have pages. */

export type Section = {
  /** The headings above the text, outermost first, joined by ` › `; empty if there is none. */
  heading: string;
  text: string;
  /** The number of the page on which the text begins, from 1. Only if the document has pages. */
  page?: number;
  /** The level of the heading with which the text begins: so many `#` and a space. Missing in index versions whose texts have no `#`. */
  level?: number;
};

/** @returns the text without the `#` of the heading with which it begins */
export const withoutMarks = ({ text, level }: Pick<Section, 'text' | 'level'>): string =>
  level === undefined ? text : text.slice(level + 1);

/** Every heading starts a section, and every section starts a chunk. This limits the chunks of a document that has only headings. */
const maxSections = 2000;
/** A title is cut to this length in the path of headings, which each chunk repeats. The text of the section has the whole title. */
const maxTitleLength = 120;

export type Outline = ReturnType<typeof createOutline>;

/** @returns an empty outline, which takes a document's headings and lines in order */
export function createOutline() {
  const sections: { heading: string; lines: string[]; level?: number }[] = [{ heading: '', lines: [] }];
  const path: string[] = [];
  const line = (text: string) => void sections.at(-1)?.lines.push(text);

  return {
    line,
    /** @param level 1 to 6 */
    heading(level: number, title: string): void {
      if (title !== '' && sections.length < maxSections) {
        path.length = Math.min(path.length, level - 1);
        path[level - 1] = cutTo(title, maxTitleLength);
        sections.push({ heading: path.filter(Boolean).join(' › '), lines: [], level });
      }
      // The words of the heading are part of the text below it.
      line(title === '' ? '' : `${'#'.repeat(level)} ${title}`);
    },
    sections: (): Section[] =>
      sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') })),
  };
}

/** @returns at most this many UTF-16 code units from the start, without splitting a surrogate pair */
export function cutTo(text: string, length: number): string {
  const isWithinPair = length < text.length && (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isWithinPair ? length - 1 : length);
}

/** @param text plain text or Markdown; a line of `#` and a title is a heading, except in a fenced code block */
export function sectionsOf(text: string): Section[] {
  const outline = createOutline();
  let fence: string | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const { marks = '', info = '' } = fenceIn(line) ?? {};
    if (fence !== undefined && marks.startsWith(fence) && info === '') fence = undefined;
    // A line with further backticks is text.
    else if (marks !== '' && !(marks.startsWith('`') && info.includes('`'))) fence ??= marks;
    const heading = fence === undefined ? headingIn(line) : undefined;
    if (heading) outline.heading(heading.level, heading.title);
    else outline.line(line);
  }
  return outline.sections();
}

/** A fence of code (CommonMark 0.31.2, section 4.5) may be indented as an item. */
function fenceIn(line: string): { marks: string; info: string } | undefined {
  const text = line.trimStart();
  const [mark] = text;
  if (mark !== '`' && mark !== '~') return undefined;
  let end = 1;
  while (text[end] === mark) end += 1;
  return end < 3 ? undefined : { marks: text.slice(0, end), info: text.slice(end).trim() };
}

const isBlank = (character: string | undefined) => character === ' ' || character === '\t';

/** An ATX heading (CommonMark 0.31.2, section 4.2). Parsed by hand, because a regular expression would backtrack. */
function headingIn(line: string): { level: number; title: string } | undefined {
  let level = 0;
  while (line[level] === '#') level += 1;
  if (level < 1 || level > 6 || !isBlank(line[level])) return undefined;
  const title = line.slice(level).trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  const isClosed = end === 0 || isBlank(title[end - 1]);
  const titleText = isClosed ? title.slice(0, end).trimEnd() : title;
  return titleText === '' ? undefined : { level, title: titleText };
}

/** A form feed ends a page, as in the output of pdftotext. */
export const pageEnd = '\f';

export const pageEndsIn = (text: string): number => text.split(pageEnd).length - 1;
