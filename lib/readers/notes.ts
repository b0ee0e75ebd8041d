/** Counts the notes of readers. */

import type { ExtractionNote, NoteCode } from './blocks.ts';

/** @returns each code once, with the sum of its counts, in the order of the notes. A sum of 0 is left out */
export function summed(notes: readonly ExtractionNote[]): ExtractionNote[] {
  const sums = new Map<NoteCode, ExtractionNote>();
  for (const note of notes) {
    const before = sums.get(note.code);
    sums.set(note.code, { ...before, ...note, count: note.count + (before?.count ?? 0) });
  }
  return [...sums.values()].filter(({ count }) => count > 0);
}
