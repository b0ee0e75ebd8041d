/** Text in any Unicode. Lengths count characters (code points), as in zod and JSON Schema. */

import * as z from 'zod';

/** Half of a surrogate pair has no UTF-8 form, so storing it would silently change it. */
const wellFormed = (text: string) => text.isWellFormed();

/** Text of up to `max` characters. */
export const text = (max: number) =>
  z
    .string()
    .check(
      z.maxLength(max, `must be at most ${max} characters`),
      z.refine(wellFormed, 'must be well-formed Unicode'),
    );

/**
 * The form of `name` for readers, without the blank characters that not every language has classes for. The checks below are
 * exact and have the messages.
 */
const control = '\\x00-\\x1f\\x7f-\\x9f';
export const namePattern = `^[^${control}]*[^${control} \\xa0\\xad][^${control}]*$`;

/** Text of 1 to `max` characters, at least one visible, without control characters. */
export const name = (max: number) =>
  text(max)
    .check(
      z.minLength(1, 'must not be empty'),
      z.refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters'),
      // A name must be visible.
      z.refine((value) => value === '' || /[^\s\p{Cf}\p{Z}]/u.test(value), 'must not be blank'),
    )
    .meta({ pattern: namePattern, rule: 'Not blank, without control characters.' });
