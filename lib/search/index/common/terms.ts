/** The terms of a text for the search in documents, with English words in one form, and the terms of chunks as the index stores them. */

import type { Section } from '../../../readers/sections.ts';
import { termsIn } from '../../../text/terms.ts';

/** @returns the terms in the order of the text; an English possessive or plural counts as the word itself */
export const termsOf = (text: string): string[] => [...termsIn(text)].map(({ term }) => stemOf(term));

/** @param term a term from `termsIn` */
export const stemOf = (term: string): string => singular(term.replace(/'s$/, '').replaceAll("'", ''));

/**
 * The S-stemmer (D. Harman, "How effective is suffixing?", JASIS 42, 1991): few rules, which do not merge different
 * words.
 */
function singular(term: string): string {
  if (term.length < 4 || !term.endsWith('s')) return term;
  if (/[^ea]ies$/.test(term)) return `${term.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(term)) return term.slice(0, -1);
  return /[^us]s$/.test(term) ? term.slice(0, -1) : term;
}

export const fields = ['title', 'heading', 'text'] as const;

export type FieldTerms = {
  /** Each term once, with its frequency in the field. */
  terms: readonly string[];
  counts: readonly number[];
  length: number;
};

/** The terms by field, in the order of `fields`. */
export type ChunkTerms = readonly FieldTerms[];

/** What counts as the length of a field: its different terms, or all. */
type Length = 'different' | 'all';

export function termsByField(
  { title, chunks }: { title: string; chunks: readonly Section[] },
  tokenize: (text: string) => readonly string[],
  length: Length,
): readonly ChunkTerms[] {
  // Every chunk repeats the title, and every chunk of a section repeats its heading.
  const repeated = new Map<string, FieldTerms>();
  const once = (text: string) => {
    const fieldTerms = repeated.get(text) ?? termsOfField(tokenize(text), length);
    repeated.set(text, fieldTerms);
    return fieldTerms;
  };
  return chunks.map(({ heading, text }) => [
    once(title),
    once(heading),
    termsOfField(tokenize(text), length),
  ]);
}

function termsOfField(all: readonly string[], length: Length): FieldTerms {
  const counts = new Map<string, number>();
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
  return {
    terms: [...counts.keys()],
    counts: [...counts.values()],
    length: length === 'all' ? all.length : counts.size,
  };
}
