/** The types of files that are not read, by their content, and what to do with them. */

import { contentStart } from '../readers/html/is-html.ts';
import { NotExtractable } from '../readers/types.ts';

const unsupported = (message: string) => new NotExtractable('unsupported_type', message);

const picture = 'The file is a picture. Recognise its text (OCR), and send the text, or a PDF that has it.';
const recording = 'The file has sound or a video. Send a transcript.';
const archive = 'The file is an archive. Unpack it, and send its files.';

const postScript = 'The file is PostScript. Convert it to PDF.';

/** Each file that has one of the signatures at this byte is of this type. The first row that fits counts. */
const types: readonly (readonly [message: string, at: number, signatures: readonly string[]])[] = [
  [picture, 0, ['\x89PNG\r\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'II*\0', 'MM\0*', '\0\0\x01\0', '8BPS\0']],
  [picture, 4, ['ftypheic', 'ftypmif1', 'ftypavif']],
  [picture, 8, ['WEBP']],
  [recording, 0, ['ID3\x03', 'ID3\x04', '\xff\xfb', 'OggS\0', 'fLaC\0', '\x1aE\xdf\xa3']],
  [recording, 4, ['ftyp']],
  [recording, 8, ['WAVE', 'AVI ']],
  [archive, 0, ['\x1f\x8b', '7z\xbc\xaf', 'Rar!\x1a', 'BZh9', '\xfd7zXZ\0', '\x28\xb5\x2f\xfd']],
  [archive, 257, ['ustar']],
  [postScript, 0, ['%!PS', '\xc5\xd0\xd3\xc6']],
];

/** @throws NotExtractable if the file has one of these types */
export function refuseUnsupported(file: Buffer): void {
  for (const [message, at, signatures] of types) {
    const isType = signatures.some(
      (signature) => file.toString('latin1', at, at + signature.length) === signature,
    );
    if (isType) throw unsupported(message);
  }
  // A bitmap begins with two letters, with which a text may begin, too.
  if (file.toString('latin1', 0, 2) === 'BM' && file.length > 14 && file.readUInt32LE(2) === file.length)
    throw unsupported(picture);
}

/** @throws NotExtractable if the text is a drawing. Markdown may begin with one */
export function refuseDrawing(text: string): void {
  const start = contentStart(text) ?? 0;
  if (!/^<(?:!doctype\s+)?svg[\s>]/i.test(text.slice(start, start + 50))) return;
  if (text.slice(-1000).trimEnd().endsWith('</svg>')) throw unsupported(picture);
}

const toCsv = 'Save each sheet as CSV.';
const openDocuments: Readonly<Record<string, string>> = {
  'application/vnd.oasis.opendocument.text': 'The file is an OpenDocument text. Save it as DOCX or PDF.',
  'application/vnd.oasis.opendocument.spreadsheet': `The file is an OpenDocument spreadsheet. ${toCsv}`,
  'application/vnd.oasis.opendocument.presentation':
    'The file is an OpenDocument presentation. Save it as PDF.',
  'application/epub+zip': 'The file is an e-book (EPUB). Convert it to PDF or HTML.',
};
const folders: readonly (readonly [folder: string, message: string])[] = [
  ['xl/', `The file is a spreadsheet. ${toCsv}`],
  ['ppt/', 'The file is a presentation. Save it as PDF.'],
  ['visio/', 'The file is a drawing of Visio. Save it as PDF.'],
];

/**
 * @param names those of the files in the archive, with `/`, in lower case
 * @returns why a ZIP archive without a document of Word is not read
 */
export function archiveRefusal(file: Buffer, names: readonly string[]): NotExtractable {
  // The first file of the archive says its type, and is not compressed (ODF 1.3 part 2, section 3.3).
  const hasFiles = file.length > 30;
  const nameLength = hasFiles ? file.readUInt16LE(26) : 0;
  const content = hasFiles ? 30 + nameLength + file.readUInt16LE(28) : 0;
  const isNamed = file.toString('latin1', 30, 30 + nameLength) === 'mimetype';
  const mimeType = isNamed
    ? file.toString('latin1', content, content + Math.min(file.readUInt32LE(22), 100))
    : '';
  const message = openDocuments[mimeType.replace(/-template$/, '')];
  if (message !== undefined) return unsupported(message);
  const [, ofFolder] = folders.find(([folder]) => names.some((name) => name.startsWith(folder))) ?? [];
  if (ofFolder !== undefined) return unsupported(ofFolder);
  return unsupported(
    names.includes('[content_types].xml')
      ? 'The file is of Office, but no document of Word. Save it as PDF.'
      : 'The file is a ZIP archive. Unpack it, and send its files.',
  );
}

const streams: readonly (readonly [stream: string, message: string])[] = [
  ['WordDocument', 'The file is of an old version of Word. Save it as DOCX.'],
  ['Workbook', `The file is of an old version of Excel. ${toCsv}`],
  ['PowerPoint Document', 'The file is of an old version of PowerPoint. Save it as PDF.'],
  ['__properties_version1.0', 'The file is a mail of Outlook. Save it as EML.'],
];

/** Office 97 to 2003, Outlook, and documents with a password, are compound files ([MS-CFB], [MS-OFFCRYPTO]). */
export function compoundFileRefusal(file: Buffer): NotExtractable {
  const has = (name: string) => file.includes(Buffer.from(name, 'utf16le'));
  if (has('EncryptedPackage'))
    return new NotExtractable('encrypted', 'The document has a password. Send it without the password.');
  const [, message] = streams.find(([name]) => has(name)) ?? [];
  return unsupported(message ?? 'The file is of an old version of Office. Save it as DOCX or PDF.');
}
