/** Puts a line of a PDF into the order in which it is read. */

/** The shapes of Arabic letters, which a PDF may have in the order in which they are drawn: from left to right. */
const shapes = /[\ufb50-\ufdff\ufe70-\ufefc]/;
/** Latin words and numbers are written from left to right within a line of Arabic. */
const leftToRight =
  /[0-9A-Za-z\u00c0-\u024f\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/-][0-9A-Za-z\u0660-\u0669\u06f0-\u06f9]+)*/g;
const mirrors: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '«': '»',
  '»': '«',
};

/** @returns the line without control characters, and with Arabic shapes as letters, from the first to the last */
export function logical(line: string): string {
  // Control characters are glyphs of a font without characters, and a form feed would end the page.
  const text = line.replace(/[^\P{Cc}\t]/gu, '');
  if (!shapes.test(text)) return text;
  return reverse(text)
    .replace(leftToRight, reverse)
    .replace(/[()[\]«»]/g, (mark) => mirrors[mark] ?? mark)
    .normalize('NFKC');
}

const reverse = (text: string): string => [...text].reverse().join('');
