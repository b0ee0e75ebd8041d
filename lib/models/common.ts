/** Schemas that several resources share. */

import * as z from 'zod';
import { type IdKind, idPattern, idPrefixes } from '../ids.ts';

/** An id of one kind. */
export const id = (kind: IdKind) =>
  z
    .string()
    .regex(idPattern(kind), `must be an id such as ${idPrefixes[kind]}_01JZ4Y7Q8R5T2V9W3X6B0C1D4E`)
    .meta({ example: `${idPrefixes[kind]}_01JZ4Y7Q8R5T2V9W3X6B0C1D4E` });

/** A time that the API shows. */
export const shownTime = () => z.string().meta({ format: 'date-time', example: '2026-03-01T09:30:00.000Z' });

/** A time that a client sends, as epoch milliseconds: ISO 8601 with `Z` or an offset, to any precision. */
export const sentTime = () =>
  z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-03-01T09:30:00Z' })
    .meta({ format: 'date-time', example: '2026-03-01T09:30:00Z' })
    .transform((value) => Date.parse(value))
    .refine(Number.isFinite, 'must be a time that exists');

export const defaultLimit = 25;
const limitMessage = 'must be a whole number from 1 to 100';

/** The query parameters of every list. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, limitMessage)
    .transform(Number)
    .optional()
    .meta({
      description: 'How many items a page holds.',
      // A query parameter is text; this is what the text says.
      documentedAs: { type: 'integer', minimum: 1, maximum: 100, default: defaultLimit },
    }),
  cursor: z
    .string()
    .min(1, 'must not be empty')
    .max(512)
    .optional()
    .meta({ description: "The `nextCursor` of the page before. Send it with that page's filters." }),
};

/** The shape of every list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to go on. Null on the last page.' }),
  });
