/** Text as people write it: any Unicode. Lengths count characters (code points), as zod and JSON Schema do. */

import * as z from 'zod';

/** Half of a surrogate pair has no UTF-8 form: storing it would change it silently. */
const wellFormed = (text: string) => text.isWellFormed();

/** Text of up to `max` characters. */
export const text = (max: number) =>
  z.string().max(max, `must be at most ${max} characters`).refine(wellFormed, 'must be well-formed Unicode');

/** What `name` takes, as a regular expression of JSON Schema: the checks below say it in words. */
const control = '\\u0000-\\u001f\\u007f-\\u009f';
const namePattern = `^[^${control}]*[^${control}\\s\\p{Cf}\\p{Z}][^${control}]*$`;

/** Text of 1 to `max` characters, at least one of them to be seen, without control characters. */
export const name = (max: number) =>
  text(max)
    .min(1, 'must not be empty')
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
    // A name that shows nothing names nothing.
    .refine((value) => value === '' || /[^\s\p{Cf}\p{Z}]/u.test(value), 'must not be blank')
    .meta({ pattern: namePattern });
