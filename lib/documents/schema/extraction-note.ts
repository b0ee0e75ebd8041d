import * as z from 'zod';
import { type ExtractionNote, noteCodes } from '../../readers/blocks.ts';

/** The limits of what a document shows: its notes, and the pages of each. */
const maxNotes = 20;
const maxPages = 20;

const code = z.enum(noteCodes).meta({
  id: 'ExtractionNoteCode',
  isOpen: true,
  description:
    'What was left out or changed: attachments of a mail, comments, pages without a text, pictures without a text (all not ' +
    'read), wrong bytes (`characters_replaced`), an encoding that nothing states (`encoding_assumed`), parts of HTML beside its ' +
    'content, such as `<nav>` (`text_left_out`), or the end of a file (`truncated_file`).',
  example: 'pages_without_text',
});

export const extractionNotes = z
  .array(
    z
      .object({
        code,
        count: z.int().meta({ description: 'How many: comments, pages, characters.', example: 2 }),
        pages: z
          .array(z.int())
          .optional()
          .meta({
            description: `The first ${maxPages} of these pages, from 1. Omitted if the format has no pages.`,
            example: [3, 7],
          }),
      })
      .meta({
        id: 'ExtractionNote',
        description: 'Something of a file or a page that was left out or changed when it was read.',
      }),
  )
  .meta({
    description: `What was left out or changed when the file or the page was read. At most ${maxNotes}.`,
  });

/** The code of a note in a request. */
export const noteCode = z.enum(noteCodes);

/** @returns the notes as a document has them */
export const storedNotes = (notes: readonly ExtractionNote[]): z.input<typeof extractionNotes> =>
  notes.slice(0, maxNotes).map(({ code, count, pages = [] }) => ({
    code,
    count,
    ...(pages.length > 0 && { pages: pages.slice(0, maxPages) }),
  }));
