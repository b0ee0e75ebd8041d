/** What the service left out or changed when it read a file or a page, in plain words. */

import { type ExtractionNote, noteText } from '../../../../clients/typescript/src/index.ts';

/** What a user can do, by the code of the note. */
const repairs: Readonly<Record<string, string>> = {
  attachments_left_out: 'Upload them as files of their own.',
  characters_replaced: 'Save the file as UTF-8, and upload it again.',
  encoding_assumed: 'If some characters are wrong, save the file as UTF-8, and upload it again.',
  pages_without_text: 'If they are scanned, recognise them (OCR), and upload the file again.',
  truncated_file: 'Upload the whole file.',
};

type Props = {
  notes: readonly ExtractionNote[];
  /** Whether a user has sent the file. */
  isFile: boolean;
};

export function Notes({ notes, isFile }: Props) {
  if (notes.length === 0) return null;
  return (
    <section class="notice" aria-label="Read in part">
      <strong>{isFile ? 'The file was read in part' : 'The page was read in part'}</strong>
      <ul>
        {notes.map((note, at) => (
          // Notes never change their places.
          <li key={at}>
            {noteText(note)}. {isFile && repairs[note.code]}
          </li>
        ))}
      </ul>
    </section>
  );
}
