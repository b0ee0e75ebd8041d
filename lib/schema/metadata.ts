import * as z from 'zod';
import { name, text } from './text.ts';

const maxValueLength = 2000;
const maxMetadataPairs = 50;
export const maxMetadataBytes = 16 * 1024;
const maxMessagePairs = 20;
export const maxFieldNameLength = 40;
export const maxMessageMetadataBytes = 8 * 1024;

/** @returns the size of names and values in UTF-8 */
function bytesOf(pairs: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const name in pairs) bytes += Buffer.byteLength(`${name}${pairs[name]}`);
  return bytes;
}

/** More is accepted only if each value has at most so many characters, because earlier versions of the service accept that. */
const shortValueLength = 500;

/** A text has as many code points as UTF-16 code units, or fewer. */
const isShort = (value: string): boolean =>
  value.length <= shortValueLength || [...value].length <= shortValueLength;

/** @param isExempt whether pairs of more bytes are accepted */
const pairsOf = (
  maxPairs: number,
  maxBytes: number,
  isExempt: (pairs: Readonly<Record<string, string>>) => boolean = () => false,
) =>
  z
    .record(name(maxFieldNameLength), text(maxValueLength))
    .refine((pairs) => Object.keys(pairs).length <= maxPairs, `must have at most ${maxPairs} pairs`)
    .refine(
      (pairs) => bytesOf(pairs) <= maxBytes || isExempt(pairs),
      `must be at most ${maxBytes} bytes of UTF-8 together`,
    );

export const metadata = pairsOf(maxMetadataPairs, maxMetadataBytes, (pairs) =>
  Object.values(pairs).every(isShort),
).meta({
  id: 'Metadata',
  description:
    'Your own data: names of up to 40 characters, values of up to 2,000, and at most 16 KB of UTF-8 together. More is accepted if ' +
    'no value has more than 500 characters.',
  maxProperties: maxMetadataPairs,
  example: { costCentre: '4711' },
});

export const messageMetadata = pairsOf(maxMessagePairs, maxMessageMetadataBytes).meta({
  id: 'MessageMetadata',
  description:
    'Your own data: names of up to 40 characters, values of up to 2,000, and at most 8 KB of UTF-8 together.',
  maxProperties: maxMessagePairs,
  example: { toolCallId: 'call_4711' },
});
