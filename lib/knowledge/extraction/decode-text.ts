/** Decodes text that may not be UTF-8. */

import type { FileType } from './types.ts';

/** Where the HTML Standard looks for an encoding (section 13.2.3.2, "Determining the character encoding"). */
const prescannedBytes = 1024;
const charset = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([a-z0-9_:.-]{1,40})/i;

/**
 * By a byte order mark, or by what HTML says. Otherwise it is UTF-8, or if it cannot be, Windows-1252, in which every byte is a
 * character.
 */
export function decodeText(bytes: Uint8Array, type: FileType): string {
  const marked = encodingOfMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, prescannedBytes));
  const stated = type === 'html' ? charset.exec(start.toString('latin1'))?.[1] : undefined;
  return (
    (stated && decodeAs(stated, bytes)) ??
    decodeAs('utf-8', bytes) ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

function encodingOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** @returns undefined if the encoding is unknown, or if the bytes are not in it */
function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
