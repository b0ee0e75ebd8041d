/** Foot- and endnotes: their marks in the text, and their texts. */

import type { Block } from '../../readers/blocks.ts';
import { formatNumber } from '../../readers/number-formats.ts';

export type NoteKind = 'footnote' | 'endnote';
/** The texts of the notes by their ids. */
export type NoteTexts = ReadonlyMap<string, string>;
export type NoteSource = { texts: NoteTexts; format: string };

export type Notes = ReturnType<typeof openNotes>;

export function openNotes(sources: Readonly<Record<NoteKind, NoteSource>>) {
  const counts = { footnote: 0, endnote: 0 };
  const waiting: Record<NoteKind, Block[]> = { footnote: [], endnote: [] };
  const seen = new Set<string>();
  return {
    /** @param mark of a note whose author has chosen it. @returns the mark; empty if there is no such note */
    refer(kind: NoteKind, id: string, mark?: string): string {
      const { texts, format } = sources[kind];
      const text = texts.get(id);
      if (text === undefined) return '';
      if (mark === undefined) counts[kind] += 1;
      const marker = mark ?? `[${formatNumber(counts[kind], format)}]`;
      if (!seen.has(`${kind} ${id}`) && text !== '') waiting[kind].push({ type: 'note', marker, text });
      seen.add(`${kind} ${id}`);
      return marker;
    },
    /** @returns the notes that the text has referred to since the last call */
    take: (kind: NoteKind): Block[] => waiting[kind].splice(0),
  };
}
