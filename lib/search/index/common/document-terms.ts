/** The terms of a document's chunks, by field, as the index stores them. */

import type { Section } from '../../../readers/sections.ts';

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
  termsOf: (text: string) => readonly string[],
  length: Length,
): readonly ChunkTerms[] {
  // Every chunk repeats the title, and every chunk of a section repeats its heading.
  const repeated = new Map<string, FieldTerms>();
  const once = (text: string) => {
    const fieldTerms = repeated.get(text) ?? termsOfField(termsOf(text), length);
    repeated.set(text, fieldTerms);
    return fieldTerms;
  };
  return chunks.map(({ heading, text }) => [once(title), once(heading), termsOfField(termsOf(text), length)]);
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
