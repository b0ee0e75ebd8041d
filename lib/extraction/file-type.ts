/** The type of a file by its content, with the type that a caller or a host states as a hint. */

import { type Decoded, decode } from '../readers/encoding/decode.ts';
import { isHtml } from '../readers/html/is-html.ts';
import { isMail } from '../readers/mail/header.ts';
import { type FileType, NotExtractable } from '../readers/types.ts';
import { packageOf } from './docx/package.ts';
import { contradiction, readAs, statedTypeOf } from './stated-type.ts';
import { archiveRefusal, compoundFileRefusal, refuseDrawing, refuseUnsupported } from './unsupported.ts';

export type FileHint = {
  /** A media type, which may have a `charset` (RFC 9110, section 8.3). */
  contentType?: string | undefined;
  /** Whether a file whose content contradicts its stated type is refused. Hosts often state a wrong type. */
  isRefused?: boolean | undefined;
};

export type TypedFile =
  | { type: 'pdf'; bytes: Uint8Array }
  | { type: 'docx' | 'rtf' | 'mail'; bytes: Uint8Array }
  /** A text that is not stated to be CSV may be CSV, too. */
  | { type: 'html' | 'csv' | 'text'; decoded: Decoded };

/** Readers of PDF accept other bytes before the header ("PDF Reference" 1.7, implementation note 13). */
const pdfHeaderWithin = 1024;
/** A PDF has objects. A text that only names the header has none. */
const pdfObject = ' obj';

/** @throws NotExtractable if the file is of no type that can be read, or if its content contradicts the hint */
export function typeFile(
  bytes: Uint8Array,
  { contentType = '', isRefused = false }: FileHint = {},
): TypedFile {
  const stated = statedTypeOf(contentType);
  const file = typeByContent(bytes, contentType, stated);
  if (isRefused && stated !== undefined && stated !== file.type) throw contradiction(contentType, file.type);
  return file;
}

function typeByContent(bytes: Uint8Array, contentType: string, stated: FileType | undefined): TypedFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isPdf(file)) return { type: 'pdf', bytes };
  if (startsWith(file, 'PK\x03\x04') || startsWith(file, 'PK\x05\x06'))
    return { type: officeTypeOf(file), bytes };
  if (startsWith(file, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw compoundFileRefusal(file);
  refuseUnsupported(file);
  if (startsWith(file, '{\\rtf')) return { type: 'rtf', bytes };
  const decoded = decode(bytes, { isMarkup: false, contentType });
  refuseBinary(decoded.text);
  refuseDrawing(decoded.text);
  const type = readAs(stated, textTypeOf(decoded.text), decoded.text);
  if (type === 'mail') return { type, bytes };
  return { type, decoded: type === 'html' ? decode(bytes, { isMarkup: true, contentType }) : decoded };
}

function textTypeOf(text: string): 'html' | 'mail' | 'text' {
  if (isHtml(text)) return 'html';
  return isMail(text) ? 'mail' : 'text';
}

function isPdf(file: Buffer): boolean {
  const at = file.subarray(0, pdfHeaderWithin).indexOf('%PDF-');
  return at === 0 || (at > 0 && file.includes(pdfObject));
}

const startsWith = (file: Buffer, text: string): boolean => file.toString('latin1', 0, text.length) === text;

/** Documents of Office are ZIP archives (ECMA-376 part 2). */
function officeTypeOf(file: Buffer): 'docx' {
  const { isDocx, names } = packageOf(file);
  if (isDocx) return 'docx';
  throw archiveRefusal(file, names);
}

const judgedLength = 64 * 1024;
/** Texts have a few control characters, for example between the pages of a printout. */
const maxControls = 0.05;
/** Those from U+0080 on may be halves of letters, if nothing states the encoding of the text: Shift_JIS has them in every second byte. */
const maxHalves = 0.5;

/** @throws NotExtractable if the characters are not those of a text */
function refuseBinary(text: string): void {
  const start = text.slice(0, judgedLength);
  const controls = start.match(/[^\P{Cc}\s\x80-\x9f]/gu)?.length ?? 0;
  const halves = start.match(/[\x80-\x9f]/g)?.length ?? 0;
  if (controls <= start.length * maxControls && halves <= start.length * maxHalves) return;
  throw new NotExtractable(
    'unsupported_type',
    'The file is not text. PDF, DOCX, RTF, HTML, mails (EML), MHTML, Markdown, plain text, CSV and TSV can be read.',
  );
}
