/** The schemas that all resources share: ids, numbers, times, lists. */

import * as z from 'zod';
import { type IdKind, idPattern, idPrefixes, ulidPattern } from '../base/ids.ts';

export const id = (kind: IdKind) =>
  z
    .string()
    .regex(idPattern(kind), `must be an id such as ${idPrefixes[kind]}_01JZ4Y7Q8R5T2V9W3X6B0C1D4E`)
    .meta({
      description: `The id of the ${words(kind)}.`,
      example: `${idPrefixes[kind]}_01JZ4Y7Q8R5T2V9W3X6B0C1D4E`,
    });

/** @returns `audit event` for `auditEvent`, and `document` for `knowledgeDocument` */
const words = (kind: IdKind) =>
  kind
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^api/, 'API')
    .replace(/^knowledge /, '');

export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).check(z.gte(min, message), z.lte(max, message));
};

export const shownCount = () =>
  z
    .int()
    .min(0)
    .meta({ documentedAs: { type: 'integer', minimum: 0 } });

/** The grammar of numbers in query parameters is that of JSON (RFC 8259, section 6). `Number()` would accept `0x10` and ` 5`, too. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** @returns undefined if the text is no number of JSON */
export function readNumber(text: string): number | undefined {
  const value = number.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** A parameter of a query that is a boolean. */
export const flag = () => z.enum(['true', 'false']).optional();

/** A flag as a boolean; undefined if it was not sent. */
export const sentFlag = () => flag().transform((sent) => (sent === undefined ? undefined : sent === 'true'));

/**
 * A query parameter is text, so a whole number is transformed.
 * @param pattern the pattern of numbers without a leading 0
 */
export const sentNumber = (pattern: RegExp, [min, max]: readonly [number, number], fallback?: number) =>
  z
    .string()
    .regex(pattern, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .optional()
    .meta({
      documentedAs: {
        type: 'integer',
        minimum: min,
        maximum: max,
        ...(fallback !== undefined && { default: fallback }),
      },
    });

export const shownTime = () => z.string().meta({ format: 'date-time', example: '2026-03-01T09:30:00.000Z' });

const credentialPattern = new RegExp(`^(key|wid)_${ulidPattern}$`);

export const credentialId = () =>
  z.string().regex(credentialPattern, 'must be an id such as key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E').meta({
    description: 'The id of the API key or of the workload identity.',
    example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  });

/**
 * A credential in a response: the id of an API key, `wid_…:` and the subject of a workload identity's token, or `sub:` and the
 * subject of an access token.
 */
export const shownCredential = () => z.string().meta({ example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' });

/**
 * A time in a request becomes epoch milliseconds. It has seconds, and `Z` or an offset (RFC 3339, with a capital `T` and `Z`,
 * which its section 5.6 lets a service require). An offset may lack its colon, as generated Python clients send it. The
 * document has no pattern, because generated clients apply a pattern to their own type for times.
 * @param rule a sentence about a further check
 */
export const sentTime = (rule?: string) =>
  z
    .string()
    .overwrite((value) => value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
    .check(z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-03-01T09:30:00Z' }))
    .meta({
      documentedAs: { type: 'string', format: 'date-time' },
      ...(rule && { rule }),
      example: '2026-03-01T09:30:00Z',
    })
    .transform((value) => Date.parse(value))
    .refine(Number.isFinite, 'must be an existing time');

/** An id can contain this time of a request. */
export const pastTime = () => sentTime('In 1970 or later.').refine((ms) => ms >= 0, 'must be 1970 or later');

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .object({
      items: z.array(item).meta({ description: 'The items of the page.' }),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: 'Send it as `cursor` to get the next page. Null on the last page.' }),
    })
    .meta({ description: 'A page of a list.' });

/** The body of a PATCH. An empty body is a mistake of the client. */
export const atLeastOneField = <Shape extends z.ZodObject>(schema: Shape): Shape =>
  schema
    .refine((fields) => Object.keys(fields).length > 0, {
      error: 'must have at least one field to change',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 });

/** @param refuse returns why a value is refused, or undefined if it is not */
export const refusedBy =
  <Value>(refuse: (value: Value) => string | undefined): z.core.CheckFn<Value> =>
  ({ value, issues }) => {
    const message = refuse(value);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  };

export const mode = z
  .enum(['live', 'test'])
  .meta({ id: 'Mode', description: 'Live or test: their data is separate.' });
