/** Text as people write it: any Unicode, counted in characters as JSON Schema counts them (code points). */

import * as z from 'zod';

/** Half of a surrogate pair has no UTF-8 form: storing it would change it silently. */
const wellFormed = (text: string) => text.isWellFormed();

/** There are never more code points than code units, so most text needs no counting. */
const isAtMost = (text: string, max: number) => text.length <= max || [...text].length <= max;

/** Text of up to `max` characters. */
export const text = (max: number) =>
  z
    .string()
    .refine(wellFormed, 'must be well-formed Unicode')
    .refine((value) => isAtMost(value, max), `must be at most ${max} characters`)
    .meta({ maxLength: max });

/** Text of 1 to `max` characters on one line: no control characters. */
export const name = (max: number) =>
  z
    .string()
    .refine(wellFormed, 'must be well-formed Unicode')
    .refine((value) => value.length > 0, 'must not be empty')
    .refine((value) => isAtMost(value, max), `must be at most ${max} characters`)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
    .meta({ minLength: 1, maxLength: max });
