/** The terms of a text and its identifiers, such as `journal_mode`, which is also one term. */

import { type Term, termsIn } from '../../../text/terms.ts';
import { stemOf } from '../common/terms.ts';

/** What joins the parts of an identifier, a file's name or a compound. */
const joints = new Set(['_', '.', '-', '/', ':', '::', '->']);
/** A longer row is an address or a path, of which nobody types the whole. */
const maxParts = 6;
const maxLength = 64;

/** @returns all words in the order of the text, then its identifiers */
export function termsWithIdentifiers(text: string): string[] {
  const terms = [...termsIn(text)];
  return [...terms.map(({ term }) => stemOf(term)), ...identifiersIn(text, terms)];
}

/**
 * @param terms all terms of the text, in its order
 * @returns the terms that are joined in the text, as one: "write-ahead" and "writeahead" become the same
 */
export function identifiersIn(text: string, terms: readonly Term[]): string[] {
  const identifiers: string[] = [];
  let parts: string[] = [];
  const end = () => {
    const identifier = parts.reduce(join, '');
    if (parts.length > 1 && parts.length <= maxParts && identifier.length <= maxLength)
      identifiers.push(identifier);
  };
  let previous: Term | undefined;
  for (const entry of terms) {
    // Most words are further apart.
    const gap = previous ? entry.start - previous.end : 0;
    if (!previous || gap < 1 || gap > 2 || !joints.has(text.slice(previous.end, entry.start))) {
      end();
      parts = [];
    }
    parts.push(entry.term);
    previous = entry;
  }
  end();
  return identifiers;
}

/** Numbers stay apart: version 3.11 is not 311. */
export const join = (left: string, right: string): string =>
  /\d$/.test(left) && /^\d/.test(right) ? `${left}.${right}` : left + right;
