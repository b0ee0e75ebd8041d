/** Decodes the bytes of a file or a page, which may be in any encoding of the Encoding Standard, and may have wrong bytes. */

import { isAscii, isUtf8 } from 'node:buffer';
// Node's decoders of Shift_JIS, Big5, EUC-KR and EUC-JP take some wrong bytes for characters, against the Encoding Standard.
import { getBOMEncoding, TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js';
import type { ExtractionNote } from '../blocks.ts';
import { summed } from '../notes.ts';
import { charsetOf, encodingOf, encodingsInText } from './stated-encoding.ts';
import { utf16In } from './utf16.ts';

export type Decoded = {
  text: string;
  /** The name in the Encoding Standard, in lower case. */
  encoding: string;
  /** No statement and no byte has shown the encoding. */
  isAssumed: boolean;
  /** The number of U+FFFD that stand for wrong bytes. */
  replaced: number;
};

/** @returns what the owner of the bytes should know */
export const notesOf = ({ isAssumed, replaced }: Pick<Decoded, 'isAssumed' | 'replaced'>): ExtractionNote[] =>
  summed([
    { code: 'characters_replaced', count: replaced },
    { code: 'encoding_assumed', count: isAssumed ? 1 : 0 },
  ]);

/** A text with fewer valid characters for each wrong one is in another encoding. */
const validPerInvalid = 4;

/**
 * A byte order mark decides. Without one, the first stated encoding that fits the bytes does: that of `contentType`, then those of the
 * text. Without one that fits, the bytes show it: UTF-16 by its zero bytes, ISO-2022-JP by its sequences, or UTF-8. Otherwise it is
 * Windows-1252, in which every byte is a character.
 * @param options.isMarkup the bytes are HTML or XML, whose `<meta>` may state an encoding
 * @param options.contentType the header of a response, or the type that a caller gives with a file
 */
export function decode(
  bytes: Uint8Array,
  { isMarkup, contentType = '' }: { isMarkup: boolean; contentType?: string | undefined },
): Decoded {
  const marked = getBOMEncoding(bytes);
  if (marked) return decodeAs(marked, bytes);
  const stated = new Set([encodingOf(charsetOf(contentType)), ...encodingsInText(bytes, isMarkup)]);
  for (const encoding of stated) {
    if (encoding === undefined) continue;
    const decoded = decodeAs(encoding, bytes);
    if (fits(decoded, bytes)) return decoded;
  }
  const utf16 = utf16In(bytes);
  if (utf16) return decodeAs(utf16, bytes);
  if (!stated.has('utf-8') && isIso2022(bytes)) return decodeAs('iso-2022-jp', bytes);
  // UTF-8 that is stated does not fit.
  const utf8 = stated.has('utf-8') ? undefined : decodeAs('utf-8', bytes);
  return utf8 && fits(utf8, bytes) ? utf8 : { ...decodeAs('windows-1252', bytes), isAssumed: true };
}

/** @returns whether so many characters beyond ASCII are valid */
function fits({ text, encoding, replaced }: Decoded, bytes: Uint8Array): boolean {
  if (encoding.startsWith('utf-16')) return bytes.includes(0) || !isUtf8(bytes);
  return validIn(text) - replaced >= validPerInvalid * replaced;
}

/** @returns the number of characters beyond ASCII */
function validIn(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // The second half of a surrogate pair does not count.
    if (code > 0x7f && (code & 0xfc00) !== 0xdc00) count += 1;
  }
  return count;
}

/** These sequences begin Japanese characters in ISO-2022-JP. No other text has them. */
const japanese = ['\x1b$B', '\x1b$@'].map((sequence) => Buffer.from(sequence));

const isIso2022 = (bytes: Uint8Array): boolean => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return japanese.some((sequence) => buffer.includes(sequence)) && isAscii(buffer);
};

function decodeAs(encoding: string, bytes: Uint8Array): Decoded {
  const Decoder = encoding === 'utf-8' ? TextDecoder : StandardDecoder;
  const text = new Decoder(encoding).decode(bytes);
  const replaced = timesIn(text, '\ufffd') - replacementsIn(bytes, encoding);
  return { text, encoding, isAssumed: false, replaced: Math.max(0, replaced) };
}

const replacements: Readonly<Record<string, Buffer>> = {
  'utf-8': Buffer.of(0xef, 0xbf, 0xbd),
  'utf-16le': Buffer.of(0xfd, 0xff),
  'utf-16be': Buffer.of(0xff, 0xfd),
};

/** @returns how many U+FFFD the bytes have themselves */
function replacementsIn(bytes: Uint8Array, encoding: string): number {
  const replacement = replacements[encoding];
  return replacement
    ? timesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), replacement)
    : 0;
}

function timesIn<T>(text: { indexOf(part: T, from: number): number }, part: T & { length: number }): number {
  let count = 0;
  for (let at = text.indexOf(part, 0); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/**
 * @param start the first bytes of the markup
 * @returns a function that decodes its chunks in their order
 */
export function markupDecoder(start: Uint8Array): (chunk: Uint8Array) => string {
  const [stated = 'utf-8'] = encodingsInText(start, true);
  const decoder = new StandardDecoder(getBOMEncoding(start) ?? stated);
  return (chunk) => decoder.decode(chunk, { stream: true });
}
