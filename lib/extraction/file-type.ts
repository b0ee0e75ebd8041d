/** The type of a file by its content. */

import { packageOf } from '../docx/package.ts';
import { isHtml } from '../readers/html/is-html.ts';
import { type FileType, NotExtractable } from '../readers/types.ts';
import { archiveRefusal, compoundFileRefusal, refuseDrawing, refuseUnsupported } from './unsupported.ts';

/** Readers of PDF accept other bytes before the header ("PDF Reference" 1.7, implementation note 13). */
const pdfHeaderWithin = 1024;
/** A PDF has objects. A text that only names the header has none. */
const pdfObject = ' obj';

const supportedTypes = 'PDF, DOCX, HTML, Markdown, plain text and CSV can be read.';

/** @throws NotExtractable if the file is of no type that can be read */
export function fileTypeOf(bytes: Uint8Array): FileType {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isPdf(file)) return 'pdf';
  if (startsWith(file, 'PK\x03\x04') || startsWith(file, 'PK\x05\x06')) return officeTypeOf(file);
  if (startsWith(file, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw compoundFileRefusal(file);
  refuseUnsupported(file);
  if (isBinary(file)) throw new NotExtractable('unsupported_type', `The file is not text. ${supportedTypes}`);
  return textTypeOf(file.toString('latin1'));
}

/** @param text its bytes as characters. A markup has the same characters in UTF-16, with null characters */
function textTypeOf(text: string): 'html' | 'text' {
  const marks = text.startsWith('\xff\xfe') || text.startsWith('\xfe\xff') ? text.replaceAll('\0', '') : text;
  refuseDrawing(marks);
  return isHtml(marks) ? 'html' : 'text';
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

const hasUtf16Mark = (file: Buffer): boolean => startsWith(file, '\xff\xfe') || startsWith(file, '\xfe\xff');

/** No text has a null character, except in UTF-16. */
const isBinary = (file: Buffer): boolean => !hasUtf16Mark(file) && file.includes(0);
