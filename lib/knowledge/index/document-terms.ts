/** The terms of a document's chunks, by field, as the index stores them. */

import type { Section } from '../chunks/sections.ts';
import { termsOf } from './terms.ts';

export const fields = ['title', 'heading', 'text'] as const;

export type FieldTerms = {
  /** Each term once, with its frequency in the field. */
  terms: readonly string[];
  counts: readonly number[];
};

/** By field, in the order of `fields`. */
export type ChunkTerms = readonly FieldTerms[];

/** @returns the terms of each chunk */
export function termsOfChunks({
  title,
  chunks,
}: {
  title: string;
  chunks: readonly Section[];
}): readonly ChunkTerms[] {
  // Every chunk repeats the title, and every chunk of a section repeats its heading.
  const repeated = new Map<string, FieldTerms>();
  const once = (text: string) => {
    const known = repeated.get(text) ?? termsOfField(text);
    repeated.set(text, known);
    return known;
  };
  return chunks.map(({ heading, text }) => [once(title), once(heading), termsOfField(text)]);
}

function termsOfField(text: string): FieldTerms {
  const counts = new Map<string, number>();
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { terms: [...counts.keys()], counts: [...counts.values()] };
}
