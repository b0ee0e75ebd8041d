/** Shortens what is longer than the API allows. The limits are those of the schemas with which the service reads a line. Pure. */

import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { lineSchemas } from '../../../../lib/bulk/imports/read-line.ts';
import { maxTextBytes } from '../../../../lib/conversations/schema/message.ts';
import type { Shortened } from './converted.ts';

type Fields = Record<string, unknown>;

const { conversation, message } = lineSchemas;

/** Two ids that begin alike stay two ids. */
const ids: ReadonlySet<string> = new Set(['externalId', 'externalUserId', 'clientMessageId']);

/** A shortened value may show the next mistake: a name, then the size of all pairs. */
const maxRounds = 4;

/** Changes the value. @returns how many values were shortened, by field */
export function shorten(value: Fields): Shortened {
  const counts: Shortened = {};
  shortenBy(conversation, value, '', counts);
  const { messages } = value;
  for (const one of Array.isArray(messages) ? messages : [])
    if (isFields(one)) shortenBy(message, one, 'messages.', counts);
  return counts;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Schema = (typeof lineSchemas)[keyof typeof lineSchemas];

function shortenBy(schema: Schema, value: Fields, prefix: string, counts: Shortened): void {
  for (let round = 0; round < maxRounds; round += 1) {
    const { error } = schema.safeParse(value);
    const count = (field: string) => {
      const name = prefix + field;
      counts[name] = (counts[name] ?? 0) + 1;
    };
    let isChanged = false;
    for (const issue of error?.issues ?? []) {
      const field = shortenOne(issue, value, schema.shape.metadata);
      if (field === undefined) continue;
      count(field);
      isChanged = true;
    }
    if (!isChanged) return;
  }
}

/** @returns the name of the field that was shortened; undefined if the mistake is another one */
function shortenOne(issue: z.core.$ZodIssue, value: Fields, pairsSchema: z.ZodType): string | undefined {
  const [field = '', key] = issue.path.map(String);
  const current = value[field];
  if (issue.code === 'too_big' && issue.origin === 'string') {
    const owner = issue.path.slice(0, -1).reduce<unknown>((one, name) => member(one, name), value);
    const name = String(issue.path.at(-1));
    const text = member(owner, name);
    if (typeof text !== 'string' || typeof owner !== 'object' || owner === null) return undefined;
    const max = Number(issue.maximum);
    Object.assign(owner, { [name]: ids.has(field) ? shortId(text, max) : [...text].slice(0, max).join('') });
    // Two tags may have become one.
    if (field === 'tags' && Array.isArray(current)) value[field] = [...new Set(current)];
    return issue.path
      .filter((part) => typeof part === 'string')
      .slice(0, field === 'metadata' ? 1 : undefined)
      .join('.');
  }
  if (issue.code === 'too_big' && issue.origin === 'array' && Array.isArray(current) && key === undefined) {
    value[field] = current.slice(0, Number(issue.maximum));
    return field;
  }
  if (issue.code === 'custom' && field === 'text' && typeof current === 'string' && isTooLong(current)) {
    value[field] = startOf(current, maxTextBytes);
    return field;
  }
  if (field !== 'metadata' || !isFields(current)) return undefined;
  if (issue.code === 'invalid_key' && key !== undefined) {
    const [tooLong] = issue.issues;
    // All names become short with the first of them: a map may make a million.
    if (tooLong?.code !== 'too_big' || !Object.hasOwn(current, key)) return undefined;
    value[field] = withShortNames(current, Number(tooLong.maximum));
    return field;
  }
  if (issue.code !== 'custom' || key !== undefined) return undefined;
  value[field] = fewer(current, pairsSchema);
  return field;
}

const member = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const isTooLong = (text: string): boolean => Buffer.byteLength(text) > maxTextBytes;

/** @returns the first bytes of the text, without a character that is cut in two */
function startOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = maxBytes;
  // The bytes of a character after its first byte: https://www.rfc-editor.org/rfc/rfc3629#section-3
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

const hashCharacters = 16;

/** The same id always becomes the same short id, so that a repeated import changes nothing. */
function shortId(id: string, max: number): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, hashCharacters);
  return `${[...id].slice(0, max - hashCharacters - 1).join('')}-${hash}`;
}

const withShortNames = (pairs: Fields, max: number): Fields =>
  Object.fromEntries(Object.entries(pairs).map(([name, value]) => [[...name].slice(0, max).join(''), value]));

/** Leaves out the last pairs until the others fit together. */
function fewer(pairs: Fields, schema: z.ZodType): Fields {
  const entries = Object.entries(pairs);
  // The first number of pairs that does not fit, by bisection: a map may make a million pairs.
  let [fits, misfit] = [0, entries.length];
  while (misfit - fits > 1) {
    const middle = Math.floor((fits + misfit) / 2);
    if (schema.safeParse(Object.fromEntries(entries.slice(0, middle))).success) fits = middle;
    else misfit = middle;
  }
  return Object.fromEntries(entries.slice(0, fits));
}
