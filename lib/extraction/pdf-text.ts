/** The text of a PDF in the order of its pages. A form feed ends each page. */

import { fileURLToPath } from 'node:url';
import { getDocumentProxy } from 'unpdf';
import { pageEnd } from '../readers/sections.ts';
import { maxTextBytes, NotExtractable } from '../readers/types.ts';
import { characterMaps } from './character-maps.ts';

const maxPages = 10_000;
/** A line that begins this much further down than one line height begins a paragraph. */
const paragraphGap = 1.6;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Item = { str: string; hasEOL: boolean; transform: readonly number[]; height: number };

/** @throws NotExtractable */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const document = await open(bytes);
  if (document.numPages > maxPages) {
    throw new NotExtractable('document_too_large', `The PDF has more than ${maxPages} pages.`);
  }
  let text = '';
  let brokenPages = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await pageText(document, number);
    if (page === undefined) brokenPages += 1;
    text += `${page ?? ''}\n${pageEnd}\n`;
    if (text.length > maxTextBytes) {
      throw new NotExtractable('document_too_large', 'The text of the file is larger than 5 MB.');
    }
  }
  // A PDF without pages is not broken.
  if (brokenPages > 0 && brokenPages === document.numPages) {
    throw new NotExtractable('unreadable_file', 'The PDF is broken.');
  }
  return text;
}

async function open(bytes: Uint8Array): Promise<Document> {
  try {
    // The library takes over the memory of the bytes that it gets.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      cMapUrl: fileURLToPath(characterMaps),
      cMapPacked: true,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new NotExtractable('encrypted', 'The PDF has a password. Upload it without the password.');
    }
    throw new NotExtractable('unreadable_file', 'The PDF is broken.');
  }
}

/** @returns undefined if the page cannot be read, which does not affect the others */
async function pageText(document: Document, number: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return linesOf(items.filter((item) => 'str' in item))
      .map(logical)
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  } catch {
    return undefined;
  }
}

/** @returns the lines, with an empty line before a paragraph */
function linesOf(items: readonly Item[]): string[] {
  const lines: string[] = [];
  let line = '';
  let height = 0;
  let y: number | undefined;
  let previousY: number | undefined;
  const end = () => {
    const isFar =
      previousY !== undefined && y !== undefined && Math.abs(previousY - y) > paragraphGap * height;
    if (isFar && height > 0 && line.trim() !== '') lines.push('');
    lines.push(line.trimEnd());
    if (line.trim() !== '') previousY = y;
    line = '';
    y = undefined;
  };
  for (const { str, hasEOL, transform, height: itemHeight } of items) {
    line += str;
    if (str.trim() !== '') {
      y ??= transform[5];
      height = itemHeight || height;
    }
    if (hasEOL) end();
  }
  if (line !== '') end();
  return lines;
}

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
