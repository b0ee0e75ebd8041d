import * as z from 'zod';
import { name, text } from './text.ts';

const maxMetadataPairs = 50;
const maxMessagePairs = 20;
export const maxFieldNameLength = 40;
export const maxMessageMetadataBytes = 8 * 1024;

/** @returns the size of names and values in UTF-8 */
const bytesOf = (pairs: Readonly<Record<string, string>>): number =>
  Object.entries(pairs).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);

export const metadata = z
  .record(name(maxFieldNameLength), text(500))
  .refine(
    (pairs) => Object.keys(pairs).length <= maxMetadataPairs,
    `must have at most ${maxMetadataPairs} pairs`,
  )
  .meta({
    id: 'Metadata',
    description: 'Your own data: names of up to 40 characters, values of up to 500.',
    maxProperties: maxMetadataPairs,
    example: { costCentre: '4711' },
  });

export const messageMetadata = z
  .record(name(maxFieldNameLength), text(2000))
  .refine(
    (pairs) => Object.keys(pairs).length <= maxMessagePairs,
    `must have at most ${maxMessagePairs} pairs`,
  )
  .refine(
    (pairs) => bytesOf(pairs) <= maxMessageMetadataBytes,
    `must be at most ${maxMessageMetadataBytes} bytes of UTF-8 together`,
  )
  .meta({
    id: 'MessageMetadata',
    description:
      'Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together.',
    maxProperties: maxMessagePairs,
    example: { toolCallId: 'call_4711' },
  });
