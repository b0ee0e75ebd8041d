/** The output of an evaluator: which values its scores have. */

import * as z from 'zod';
import { text } from '../schema/text.ts';
import { objectSchema } from './object-schema.ts';
import { maxTextValue } from './score.ts';

export const maxCategories = 20;

/** Sums of larger numbers would lose their decimals. */
const maxNumber = 1e9;
const bound = () =>
  z.number().min(-maxNumber, `must be at least ${-maxNumber}`).max(maxNumber, `must be at most ${maxNumber}`);

/** Statistics divide the numbers into ten ranges, whose bounds must differ. */
const isWide = ({ min, max }: { min: number; max: number }) =>
  max - min >= 1e-6 * Math.max(1, Math.abs(min), Math.abs(max));

const booleanOutput = z
  .strictObject({ type: z.literal('boolean').meta({ description: 'The type of the values.' }) })
  .meta({ id: 'BooleanOutput', description: 'True or false.' });

const numberOutput = z
  .strictObject({
    type: z.literal('number').meta({ description: 'The type of the values.' }),
    min: bound().meta({ description: 'The lowest value.', example: 1 }),
    max: bound().meta({ description: 'The highest value, above `min`.', example: 5 }),
  })
  .refine(isWide, { path: ['max'], error: 'must be above min, by at least a millionth of the larger' })
  .meta({ id: 'NumberOutput', description: 'Numbers from `min` to `max`.' });

const category = text(40)
  .min(1, 'must not be empty')
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .meta({
    // Some languages lack \P{}.
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$',
    rule: 'Without control characters.',
    description: 'A category.',
    example: 'positive',
  });

const categoryOutput = z
  .strictObject({
    type: z.literal('category').meta({ description: 'The type of the values.' }),
    values: z
      .array(category)
      .min(2, 'must have at least 2 values')
      .max(maxCategories, `must have at most ${maxCategories} values`)
      .refine((values) => new Set(values).size === values.length, 'must not have a value twice')
      .meta({ description: 'The categories: 2 to 20.', example: ['positive', 'negative'] }),
  })
  .meta({ id: 'CategoryOutput', description: 'One of some categories.' });

const textOutput = z
  .strictObject({ type: z.literal('text').meta({ description: 'The type of the values.' }) })
  .meta({ id: 'TextOutput', description: `Texts of up to ${maxTextValue} characters.` });

const objectOutput = z
  .strictObject({
    type: z.literal('object').meta({ description: 'The type of the values.' }),
    schema: objectSchema,
  })
  .meta({ id: 'ObjectOutput', description: 'Objects that match a schema, up to 16 KB as JSON.' });

export const output = z
  .discriminatedUnion('type', [booleanOutput, numberOutput, categoryOutput, textOutput, objectOutput], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'must be one of boolean, number, category, text, object' : undefined,
  })
  .meta({
    id: 'ScoreOutput',
    description: 'Which values the scores have: true or false, numbers, categories, texts, or objects.',
    example: { type: 'number', min: 1, max: 5 },
  });

export type Output = z.infer<typeof output>;
