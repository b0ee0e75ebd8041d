/** The notes of a document as sentences for people. The clients have the same sentences (clients/typescript/src/helpers/notes.ts). */

import type { NoteCode } from '../readers/blocks.ts';

type Note = { code: NoteCode; count: number; pages?: readonly number[] | undefined };

type Words = readonly [one: string, many: string];

const words: Readonly<Record<NoteCode, Words>> = {
  attachments_left_out: ['attachment was not read', 'attachments were not read'],
  characters_replaced: ['unreadable character was replaced', 'unreadable characters were replaced'],
  comments_left_out: ['comment was left out', 'comments were left out'],
  encoding_assumed: [
    'text states no encoding, and was read as Windows-1252',
    'texts state no encoding, and were read as Windows-1252',
  ],
  pages_without_text: ['page has no text', 'pages have no text'],
  pictures_without_text: ['picture was not read', 'pictures were not read'],
  text_left_out: [
    'part beside the content, such as a menu, was left out',
    'parts beside the content, such as menus, were left out',
  ],
  truncated_file: ['file ends too early', 'files end too early'],
};

/** @returns one sentence: `2 pages have no text (pages 3, 7), 1 comment was left out.` */
export const textOfNotes = (notes: readonly Note[]): string => `${notes.map(textOf).join(', ')}.`;

function textOf({ code, count, pages = [] }: Note): string {
  const [one, many] = words[code];
  const places = pages.length === 0 ? '' : ` (${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')})`;
  return `${count} ${count === 1 ? one : many}${places}`;
}
