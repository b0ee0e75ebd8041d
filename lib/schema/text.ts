/** Text may have any Unicode characters. Lengths count characters (code points), as in zod and JSON Schema. */

import * as z from 'zod';

/** Half of a surrogate pair has no UTF-8 form, so storing it would silently change it. */
const wellFormed = (text: string) => text.isWellFormed();

export const text = (max: number) =>
  z
    .string()
    .check(
      z.maxLength(max, `must be at most ${max} characters`),
      z.refine(wellFormed, 'must be well-formed Unicode'),
    );

/** A terminal may obey control characters (Unicode, category Cc) other than tabs and line breaks. */
const hidden = /[^\P{Cc}\t\n\r]/gu;

/** @returns why a text with lines is refused, or undefined if it is not. An empty text is accepted */
export const refuseHidden = (value: string): string | undefined =>
  value.search(hidden) === -1
    ? undefined
    : 'must not contain control characters other than tabs and line breaks';

/** @returns the text with a space for each character that `refuseHidden` refuses */
export const withoutHidden = (value: string): string => value.replace(hidden, ' ');

/** @returns whether a reader sees something of the text */
export const isVisible = (value: string): boolean => /[^\s\p{Cf}\p{Z}]/u.test(value);

/**
 * The form of `name` for readers, without the blank characters that not every language has classes for. The checks below are
 * exact and have the messages.
 */
const control = '\\x00-\\x1f\\x7f-\\x9f';
export const namePattern = `^[^${control}]*[^${control} \\xa0\\xad][^${control}]*$`;

/** Bundles construct this expression with `new RegExp`, so it is made once, and not for each name. */
const controlCharacter = /\p{Cc}/u;

export const name = (max: number) =>
  text(max)
    .check(
      z.minLength(1, 'must not be empty'),
      z.refine((value) => !controlCharacter.test(value), 'must not contain control characters'),
      z.refine((value) => value === '' || isVisible(value), 'must not be blank'),
    )
    .meta({ pattern: namePattern, rule: 'Not blank, without control characters.' });
