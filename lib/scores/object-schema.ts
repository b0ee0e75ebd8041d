/** The part of JSON Schema that describes the objects of scores. Pure. */

import * as z from 'zod';
import { wholeNumber } from '../schema/common.ts';
import { text } from '../schema/text.ts';
import { lengthOf, type ObjectSchema, types } from './mismatch.ts';
import { withinLimits } from './nesting.ts';

export const maxSchemaLevels = 5;
export const maxSchemaNodes = 50;
export const maxSchemaBytes = 4096;
/** Texts differ, so a value, its quotation marks and its comma have at least four bytes. */
const maxEnumValues = maxSchemaBytes / 4;
const maxNameLength = 64;

/** Names that every model accepts in a schema. */
const propertyName = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{1,${maxNameLength}}$`),
    `must be 1 to ${maxNameLength} of the characters A-Z, a-z, 0-9, _ and -`,
  )
  .refine((name) => name !== '__proto__', 'must not be __proto__');

/** What belongs to each type, beside `type` and `description`. */
const keywords: Readonly<Record<ObjectSchema['type'], readonly (keyof ObjectSchema)[]>> = {
  object: ['properties', 'required'],
  array: ['items', 'maxItems'],
  string: ['enum', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
};

/** Its cost is bounded because `objectSchema` first checks the nesting. */
const node: z.ZodType<ObjectSchema> = z.lazy(() => level);

const level = z
  .strictObject({
    type: z.enum(types).meta({ description: 'The type of the value.', example: 'object' }),
    description: text(500)
      .exactOptional()
      .meta({ description: 'What the value is about. Models read it.', example: 'The reason of the call.' }),
    properties: z
      .record(propertyName, node)
      .exactOptional()
      .meta({ description: 'The schema of each field of an object. It has no other fields.' }),
    required: z
      .array(z.string().max(maxNameLength, `must be at most ${maxNameLength} characters`))
      .max(maxSchemaNodes, `must have at most ${maxSchemaNodes} fields`)
      .exactOptional()
      .meta({ description: 'The fields that an object must have.', example: ['reason'] }),
    items: node.exactOptional().meta({ description: 'The schema of the items of a list.' }),
    enum: z
      .array(text(200))
      .max(maxEnumValues, `must have at most ${maxEnumValues} values`)
      .exactOptional()
      .meta({ description: 'The values that a text may have.', example: ['refund', 'delivery'] }),
    minimum: z.number().exactOptional().meta({ description: 'The lowest value of a number.', example: 0 }),
    maximum: z.number().exactOptional().meta({ description: 'The highest value of a number.', example: 10 }),
    maxLength: wholeNumber(0, 16_000)
      .exactOptional()
      .meta({ description: 'The largest number of characters of a text.', example: 200 }),
    maxItems: wholeNumber(0, 1000)
      .exactOptional()
      .meta({ description: 'The largest number of items of a list.', example: 5 }),
  })
  .superRefine((schema, context) => {
    for (const [keyword, message] of faultsOf(schema))
      context.addIssue({ code: 'custom', path: [keyword], message });
  })
  .meta({
    id: 'ScoreSchema',
    description: 'A part of JSON Schema. Other keywords are not allowed.',
    example: { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] },
  });

/** @returns what makes a level meaningless or impossible to match, by keyword */
function faultsOf(schema: ObjectSchema): [keyword: keyof ObjectSchema, message: string][] {
  const { type, properties, required = [], items, minimum, maximum, maxLength } = schema;
  const faults: [keyof ObjectSchema, string][] = [];
  for (const keyword of Object.values(keywords).flat())
    if (schema[keyword] !== undefined && !keywords[type].includes(keyword))
      faults.push([keyword, `does not belong to the type ${type}`]);
  if (faults.length > 0) return faults;
  if (type === 'object' && Object.keys(properties ?? {}).length === 0)
    faults.push(['properties', 'must have at least one field']);
  if (type === 'array' && !items) faults.push(['items', 'is required']);
  if (required.some((name) => !Object.hasOwn(properties ?? {}, name)))
    faults.push(['required', 'must only name fields of properties']);
  if (new Set(required).size < required.length) faults.push(['required', 'must not have a field twice']);
  if (schema.enum) {
    if (schema.enum.length === 0) faults.push(['enum', 'must have at least one value']);
    if (new Set(schema.enum).size < schema.enum.length) faults.push(['enum', 'must not have a value twice']);
    if (schema.enum.some((value) => lengthOf(value) > (maxLength ?? Number.POSITIVE_INFINITY)))
      faults.push(['enum', 'must not have a value that is longer than maxLength']);
  }
  const [lowest, highest] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY];
  if (lowest > highest) faults.push(['minimum', 'must be at most maximum']);
  else if (type === 'integer' && Math.ceil(lowest) > Math.floor(highest))
    faults.push(['minimum', 'and maximum must have a whole number between them']);
  return faults;
}

export const objectSchema = withinLimits(level, {
  levels: maxSchemaLevels,
  nodes: maxSchemaNodes,
  childrenOf: ({ properties, items }) => [
    ...(typeof properties === 'object' && properties !== null ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
  ],
})
  .refine(({ type }) => type === 'object', { path: ['type'], error: 'must be object at the first level' })
  .refine(
    (schema) => Buffer.byteLength(JSON.stringify(schema)) <= maxSchemaBytes,
    `must be at most ${maxSchemaBytes} bytes as JSON`,
  )
  .meta({ description: 'The schema of the objects: at most 5 levels, 50 nodes, and 4 KB as JSON.' });
