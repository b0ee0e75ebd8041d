/** The header of a mail (RFC 5322, section 2.2): whether a text has one, and its fields as a person reads them (RFC 2047). */

import { decode } from '../encoding/decode.ts';

/** The empty line that ends the header of a mail is within so many characters. */
const headerWithin = 64 * 1024;
const field = /^([!-9;-~]{1,100})[ \t]*:/;
const ofParts = /^content-type:[ \t]*multipart\/[\w-]{1,40};\s{0,9}boundary=/im;
/** The first line in a mailbox of Unix. */
const envelope = /^>?From \S+ .*\d{4}/;
const ofTransport = ['mime-version', 'message-id', 'received', 'return-path', 'content-type'];
const ofMail = ['from', 'subject', 'date', 'content-type', 'content-transfer-encoding'];

/** @param start the beginning of a text @returns whether it is the header of a mail. A single usual field is no sign of a mail */
export function isMail(start: string): boolean {
  const [header = ''] = start
    .slice(0, headerWithin)
    .trimStart()
    .split(/\r?\n\r?\n/, 1);
  const names = new Set<string>();
  for (const [at, line] of header.split(/\r?\n/).entries()) {
    if (/^[ \t]/.test(line) || (at === 0 && envelope.test(line))) continue;
    const [, name] = field.exec(line) ?? [];
    if (name === undefined) return false;
    names.add(name.toLowerCase());
  }
  const has = (name: string) => names.has(name);
  return (
    ofParts.test(header) ||
    ofTransport.filter(has).some((name) => ofMail.some((other) => other !== name && has(other)))
  );
}

/** A field is shown in a line. */
const maxFieldLength = 10_000;

/**
 * @param mail its header begins with the first byte
 * @returns a function that finds the first field with a name, in lower case
 */
export function headerFields(mail: Uint8Array): (name: string) => string | undefined {
  const source = Buffer.from(mail.buffer, mail.byteOffset, Math.min(mail.byteLength, headerWithin));
  const lines = source.toString('latin1').split(/\r?\n/);
  const end = lines.indexOf('');
  const fields = new Map<string, string>();
  for (const line of lines
    .slice(0, end === -1 ? lines.length : end)
    .join('\n')
    .split(/\n(?![ \t])/)) {
    const [start = '', name = ''] = field.exec(line) ?? [];
    if (name !== '' && !fields.has(name.toLowerCase()))
      fields.set(name.toLowerCase(), line.slice(start.length, maxFieldLength));
  }
  return (name) => {
    const value = fields.get(name);
    // If a program writes letters beyond ASCII, it writes them in the encoding of the text.
    return value === undefined ? undefined : decodeWords(decodeField(value, fields.get('content-type')));
  };
}

const decodeField = (value: string, contentType: string | undefined): string =>
  decode(Buffer.from(value, 'latin1'), { isMarkup: false, contentType }).text.replace(/\s+/g, ' ').trim();

/** An encoding, perhaps with a language; how the bytes are written; and the bytes (RFC 2047, section 2; RFC 2231, section 5). */
const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi;
const maxNameLength = 40;

/** @returns the text with its encoded words decoded. A character may be divided between two of them */
function decodeWords(text: string): string {
  let result = '';
  let at = 0;
  let charset = '';
  let bytes: Buffer[] = [];
  const end = () => {
    if (bytes.length === 0) return;
    result += decode(Buffer.concat(bytes), { isMarkup: false, contentType: `charset=${charset}` }).text;
    bytes = [];
  };
  for (const { 0: word, 1: names = '', 2: kind = '', 3: encoded = '', index } of text.matchAll(encodedWord)) {
    const [label = '', ...language] = names.split('*', 2);
    if (label === '' || [label, ...language].some(({ length }) => length > maxNameLength)) continue;
    const between = text.slice(at, index);
    const isNext = bytes.length > 0 && between.trim() === '';
    if (!isNext || label.toLowerCase() !== charset) end();
    if (!isNext) result += between;
    charset = label.toLowerCase();
    bytes.push(kind.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : quotedBytes(encoded));
    at = index + word.length;
  }
  end();
  return result + text.slice(at);
}

const quotedBytes = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
