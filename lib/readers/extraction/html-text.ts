/** Converts HTML to Markdown with its headings, so that the text keeps its sections. */

import { outlineHtml, TooComplex } from '../html.ts';
import { NotExtractable } from '../types.ts';

/** A file of 25 MB may have so many elements. The limit of the process's memory may be reached before. */
const maxElements = 3_000_000;

/** @throws NotExtractable if the markup makes too many elements */
export function htmlText(source: string): string {
  const parts: string[] = [];
  const line = (text: string) => void (text.trim() !== '' && parts.push(text.trim()));
  const heading = (level: number, title: string) =>
    void (title !== '' && parts.push(`${'#'.repeat(level)} ${title}`));
  try {
    outlineHtml(source, { line, heading }, maxElements);
  } catch (error) {
    if (error instanceof TooComplex) {
      throw new NotExtractable('document_too_complex', `The HTML is too complex: ${error.message}.`);
    }
    throw error;
  }
  return parts.join('\n\n');
}
