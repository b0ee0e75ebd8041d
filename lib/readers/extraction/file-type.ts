/** The type of a file by its content, and the list of the files in a ZIP archive, which a document of Office is. */

import { type FileType, NotExtractable } from '../types.ts';

/** Readers of PDF accept other bytes before the header ("PDF Reference" 1.7, implementation note 13). */
const pdfHeaderWithin = 1024;
/** HTML may begin with comments. */
const htmlWithin = 4096;

const supportedTypes = 'PDF, DOCX, HTML, Markdown, plain text and CSV can be read.';

/** @throws NotExtractable if the file is of no type that can be read */
export function fileTypeOf(bytes: Uint8Array): FileType {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.subarray(0, pdfHeaderWithin).includes('%PDF-')) return 'pdf';
  if (startsWith(file, 'PK')) return officeTypeOf(file);
  if (startsWith(file, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw compoundFile(file);
  if (isBinary(file)) throw new NotExtractable('unsupported_type', `The file is not text. ${supportedTypes}`);
  const start = file.toString('latin1', 0, htmlWithin);
  return isHtml(start.replaceAll('\0', '')) ? 'html' : 'text';
}

const startsWith = (file: Buffer, text: string): boolean =>
  file.subarray(0, text.length).equals(Buffer.from(text, 'latin1'));

/** Documents of Office are ZIP archives (ECMA-376 part 2). */
function officeTypeOf(file: Buffer): 'docx' {
  const names = zipEntries(file).map(({ name }) => name);
  if (!names.includes('[Content_Types].xml')) {
    throw new NotExtractable('unsupported_type', `The file is a ZIP archive. ${supportedTypes}`);
  }
  if (names.some((name) => name.startsWith('word/'))) return 'docx';
  throw new NotExtractable(
    'unsupported_type',
    `The file is an Office document, but not a DOCX. ${supportedTypes}`,
  );
}

/** Word 97 to 2003, and documents with a password, are compound files ([MS-CFB], [MS-OFFCRYPTO]). */
function compoundFile(file: Buffer): NotExtractable {
  return file.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? new NotExtractable('encrypted', 'The document has a password. Upload it without the password.')
    : new NotExtractable('unsupported_type', 'The file is of an old version of Office. Save it as DOCX.');
}

const hasUtf16Mark = (file: Buffer): boolean => startsWith(file, '\xff\xfe') || startsWith(file, '\xfe\xff');

/** No text has a null character, except in UTF-16. */
const isBinary = (file: Buffer): boolean => !hasUtf16Mark(file) && file.includes(0);

/** Skips a byte order mark, white space and comments. */
function isHtml(start: string): boolean {
  let rest = start.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').trimStart();
  while (rest.startsWith('<!--') || rest.startsWith('<?')) {
    const [open, close] = rest.startsWith('<!--') ? (['<!--', '-->'] as const) : (['<?', '>'] as const);
    const end = rest.indexOf(close, open.length);
    if (end === -1) return false;
    rest = rest.slice(end + close.length).trimStart();
  }
  return /^<(!doctype\s+html|html|head|body|title|meta)[\s/>]/i.test(rest);
}

export type ZipEntry = {
  name: string;
  /** The size that the archive states, which may be a lie. */
  unpackedBytes: number;
};

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const maxCommentLength = 0xffff;

/**
 * Reads the list of the files in a ZIP archive, without unpacking them (APPNOTE 6.3.10, section 4.3).
 * @throws NotExtractable if the archive is broken
 */
export function zipEntries(file: Buffer): ZipEntry[] {
  const end = findEnd(file);
  const count = file.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let number = 0; number < count; number += 1) {
    if (at + entryLength > file.length || file.readUInt32LE(at) !== entrySignature) throw broken();
    const nameLength = file.readUInt16LE(at + 28);
    const start = at + entryLength;
    entries.push({
      name: file.toString('utf8', start, start + nameLength),
      unpackedBytes: file.readUInt32LE(at + 24),
    });
    at = start + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - endLength - maxCommentLength);
  for (let at = file.length - endLength; at >= first; at -= 1) {
    if (file.readUInt32LE(at) === endSignature) return at;
  }
  throw broken();
}

const broken = () => new NotExtractable('unreadable_file', 'The file is a broken ZIP archive.');
