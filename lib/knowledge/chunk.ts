/** Documents in pieces that search can rank and show: by headings, then paragraphs and sentences. */

export type Chunk = {
  /** The headings that the chunk stands below, outermost first, joined by ` › `; empty where there are none. */
  heading: string;
  text: string;
};

/** A chunk holds about so many characters: a few paragraphs, of which a snippet shows one. */
const targetLength = 1200;

const headingLine = /^(#{1,6})[ \t]+(.+?)[ \t]*#*$/;

/**
 * @param text plain text or Markdown; a line of `#` and a heading begins a new chunk
 * @returns the chunks in order; none where the text has no letter or digit
 */
export function chunksOf(text: string): Chunk[] {
  return sectionsOf(text).flatMap(({ heading, lines }) =>
    pack(lines.join('\n'))
      .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
      .map((piece) => ({ heading, text: piece })),
  );
}

/** The lines below each heading. A heading without lines of its own shows in those below it. */
function sectionsOf(text: string): { heading: string; lines: string[] }[] {
  const sections = [{ heading: '', lines: [] as string[] }];
  const path: string[] = [];
  let inFence = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence;
    const [, marks, title] = (!inFence && headingLine.exec(line)) || [];
    if (marks && title) {
      path.length = Math.min(path.length, marks.length - 1);
      path[marks.length - 1] = title;
      sections.push({ heading: path.filter(Boolean).join(' › '), lines: [] });
    }
    // The heading's own words are found with the text below it.
    sections.at(-1)?.lines.push(title ?? line);
  }
  return sections;
}

/** Whole sentences, as many as fit; a sentence that is too long by itself is cut. */
function pack(text: string): string[] {
  if (text.length <= targetLength) return [text.trim()].filter(Boolean);
  const chunks: string[] = [];
  let current = '';
  for (const sentence of sentencesOf(text)) {
    if (current !== '' && current.length + sentence.length > targetLength) {
      chunks.push(current.trim());
      current = '';
    }
    current += sentence;
    while (current.length > 2 * targetLength) {
      const end = cutAt(current);
      chunks.push(current.slice(0, end).trim());
      current = current.slice(end);
    }
  }
  chunks.push(current.trim());
  return chunks.filter(Boolean);
}

/** Ends at a sentence's end in any script, or at an empty line; what is between them stays with the sentence before. */
const sentencesOf = (text: string): string[] =>
  text
    .match(/[\s\S]+?(?:[.!?…]["'”’)\]]*(?=\s)\s+|[。！？．]["”’」』）]*|\n\s*\n|$)/gu)
    ?.filter((s) => s !== '') ?? [];

/** At a space near the target length, else right there, but never within a surrogate pair. */
function cutAt(text: string): number {
  const space = text.lastIndexOf(' ', targetLength);
  if (space > targetLength / 2) return space + 1;
  const isWithinPair = (text.charCodeAt(targetLength - 1) & 0xfc00) === 0xd800;
  return isWithinPair ? targetLength - 1 : targetLength;
}
