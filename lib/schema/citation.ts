/** What a text is based on: messages and replies have it. */

import * as z from 'zod';
import { id } from './common.ts';
import { text } from './text.ts';
import { TextSpan } from './text-span.ts';

export const maxCitations = 20;
export const maxCitedTitle = 200;
export const maxCitedSnippet = 500;

/** The highest page number of a cited document. */
const maxPage = 1_000_000;
const maxPieceId = 100;

const documentId = id('knowledgeDocument').meta({ description: 'The id of the cited document.' });
const title = text(maxCitedTitle).meta({ description: 'The title of the document.', example: 'Returns' });
const snippet = text(maxCitedSnippet).meta({
  description: 'The cited text.',
  example: 'Within 30 days of delivery…',
});
const page = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(maxPage, `must be at most ${maxPage}`)
  .meta({ description: 'The page of the document, from 1.', example: 12 });

const pieceId = text(maxPieceId).min(1, 'must not be empty').meta({
  description: 'The `pieceId` of the cited piece in the index version that was searched.',
  example: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E.12',
});
const spanDescription = 'The part of the text of the piece that `snippet` shows.';

const maxOffset = 10_000_000;
const offset = z
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(maxOffset, `must be at most ${maxOffset}`);

/** Citations of earlier versions of the service have no `pieceId` and no `span`, so both are left out where they are unknown. */
export const Citation = z
  .object({
    documentId,
    title: title.nullable(),
    snippet: snippet.nullable(),
    page: page.nullable(),
    pieceId: pieceId.exactOptional(),
    span: TextSpan.exactOptional().meta({ description: `${spanDescription} Left out if it is not known.` }),
  })
  .meta({ id: 'Citation', description: 'A document that the message is based on.' });

export type Citation = z.infer<typeof Citation>;

export const sentCitation = z
  .strictObject({
    documentId,
    title: title.nullable().optional(),
    snippet: snippet.nullable().optional(),
    page: page.nullable().optional(),
    pieceId: pieceId.nullable().optional(),
    span: z
      .strictObject({
        start: offset.meta({ description: 'The offset of the first code unit.', example: 12 }),
        end: offset.meta({ description: 'The offset after the last code unit.', example: 17 }),
      })
      .refine(({ start, end }) => start <= end, 'must not end before it starts')
      .meta({ id: 'TextSpanInput', description: 'A part of a text.' })
      .nullable()
      .optional()
      .meta({ description: spanDescription }),
  })
  .meta({ id: 'CitationInput', description: 'A document that the message is based on.' });

/** @returns the citation as it is stored */
export const storedCitation = ({
  documentId,
  title = null,
  snippet = null,
  page = null,
  pieceId = null,
  span = null,
}: z.infer<typeof sentCitation>): Citation => ({
  documentId,
  title,
  snippet,
  page,
  ...(pieceId !== null && { pieceId }),
  ...(span !== null && { span }),
});
