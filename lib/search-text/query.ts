/** What is searched for, and where a text has it. */

import { type Span, termsIn } from './terms.ts';

export const maxQueryWords = 10;

export type Query = {
  /** Words that may stand anywhere, each once. */
  words: readonly string[];
  /** Two words or more, which are to follow each other. */
  phrases: readonly (readonly string[])[];
  /** How many words it was written with. */
  length: number;
};

/**
 * Words, and phrases in quotation marks. A mark that is not closed opens nothing.
 * @returns a query without words where there is nothing to look for
 */
export function parseQuery(text: string): Query {
  const words = new Set<string>();
  const phrases: string[][] = [];
  let length = 0;
  // What stands at odd places was in quotation marks.
  const parts = text.replace(/[“”„]/g, '"').split('"');
  for (const [index, part] of parts.entries()) {
    const terms = [...termsIn(part)].map(({ term }) => term);
    length += terms.length;
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    if (isQuoted && terms.length > 1) phrases.push(terms);
    else for (const term of terms) words.add(term);
  }
  return { words: [...words], phrases, length };
}

/** @returns every term that a text must have, each once */
export const termsOf = ({ words, phrases }: Query): string[] => [...new Set([...words, ...phrases.flat()])];

/**
 * Decides by the text itself.
 * @returns where it has what is searched for, in order and without overlaps; undefined where something is missing
 */
export function matchesIn(text: string, { words, phrases }: Query): Span[] | undefined {
  const terms = [...termsIn(text)];
  const spans: Span[] = [];
  const wanted = new Set(words);
  const missing = new Set(words);
  for (const { term, start, end } of terms) {
    if (!wanted.has(term)) continue;
    missing.delete(term);
    spans.push({ start, end });
  }
  if (missing.size > 0) return undefined;
  for (const phrase of phrases) {
    const before = spans.length;
    for (const [at, { start }] of terms.entries()) {
      const last = terms[at + phrase.length - 1];
      if (last && phrase.every((term, offset) => terms[at + offset]?.term === term)) {
        spans.push({ start, end: last.end });
      }
    }
    if (spans.length === before) return undefined;
  }
  return merged(spans);
}

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else all.push({ ...span });
  }
  return all;
}
