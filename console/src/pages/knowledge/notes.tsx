/** What the service left out or changed when it read a file or a page, in plain words. */

import { type ExtractionNote, noteText } from '../../../../clients/typescript/src/index.ts';
import { repairs } from './note-labels.ts';

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
