/** The text of the bytes of a file or a page, which may not be UTF-8. */

import type { FileType } from './types.ts';

/** The HTML Standard looks for an encoding in these bytes (section 13.2.3.2, "Determining the character encoding"). */
const prescanBytes = 1024;
const inMeta = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([a-z0-9_:.-]{1,40})/i;
const inHeader = /charset=["']?([\w.:-]{1,40})/i;
const headerLength = 200;

/**
 * A byte order mark decides. Without it, the first encoding that the bytes are in is right: that of `Content-Type`, that of a `<meta>`,
 * or UTF-8. Otherwise the text has wrong bytes. Then it is UTF-8 if at most half of its characters beyond ASCII are wrong. If not, it
 * is in the stated encoding, or in Windows-1252, in which every byte is a character.
 * @param contentType the header of a response; a file has none
 */
export function decodeText(bytes: Uint8Array, type: FileType, contentType = ''): string {
  const markEncoding = encodingOfMark(bytes);
  if (markEncoding) return new TextDecoder(markEncoding).decode(bytes);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, prescanBytes));
  const meta = type === 'html' ? inMeta.exec(start.toString('latin1'))?.[1] : undefined;
  const statedEncodings = [
    standardEncoding(inHeader.exec(contentType.slice(0, headerLength))?.[1]),
    asciiEncoding(standardEncoding(meta)),
  ].filter((one) => one !== undefined);
  for (const encoding of [...statedEncodings, 'utf-8']) {
    const text = decodeAs(encoding, bytes);
    if (text !== undefined) return text;
  }
  const text = new TextDecoder().decode(bytes);
  if (isMostlyRight(text)) return text;
  return new TextDecoder(statedEncodings.find((one) => one !== 'utf-8') ?? 'windows-1252').decode(bytes);
}

function encodingOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** @returns the name of the encoding in the Encoding Standard; undefined if it has none */
function standardEncoding(label: string | undefined): string | undefined {
  try {
    return label && new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The `<meta>` was read as ASCII, so the text is not in UTF-16 (HTML Standard, section 13.2.3.2). */
const asciiEncoding = (encoding: string | undefined): string | undefined =>
  encoding?.startsWith('utf-16') ? undefined : encoding;

/** @returns undefined if the bytes are not in the encoding */
function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether at most half of the characters beyond ASCII replace wrong bytes: then the text is UTF-8 with a mistake. */
function isMostlyRight(text: string): boolean {
  let right = 0;
  let wrong = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd) wrong += 1;
    else if (code > 0x7f) right += 1;
  }
  return right >= wrong;
}
