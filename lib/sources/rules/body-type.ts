/** How the body of a response is read: by its content, with the type that the server states as a hint. Pure. */

import { refuseUnsupported } from '../../extraction/unsupported.ts';
import { decode } from '../../readers/encoding/decode.ts';
import { isHtml } from '../../readers/html/is-html.ts';
import { NotExtractable } from '../../readers/types.ts';

/** A page of HTML, a file that is read as an upload is, or why the type is not read. */
export type BodyType = { kind: 'page' | 'file' } | { kind: 'refused'; message: string };

/** The signatures of files are in their first bytes. */
const signatureBytes = 1024;
/** Enough to tell HTML from text. */
const judgedBytes = 64 * 1024;

const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);
/** Types that a server states if it does not know the type, or that HTML in XML may have. */
const vagueTypes = new Set(['', 'application/octet-stream', 'application/xml', 'text/xml']);
/** A text with such a type is data, a program or a style. As an upload it would be read, but a site has no such documents. */
const isForPrograms = (type: string): boolean =>
  /[/+](?:json|xml)$/.test(type) || /(?:java|ecma)script/.test(type) || type === 'text/css';

const page: BodyType = { kind: 'page' };
const file: BodyType = { kind: 'file' };
const refused = (message: string): BodyType => ({ kind: 'refused', message });

/** @param body its first KB is enough, except for HTML after a long comment */
export function bodyTypeOf(contentType: string | undefined, body: Uint8Array): BodyType {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, signatureBytes));
  const refusal = refusalOf(start);
  if (refusal !== undefined) return refused(refusal);
  const characters = start.toString('latin1');
  if (signatures.some((signature) => characters.startsWith(signature))) return file;
  const [name = ''] = (contentType ?? '').split(';', 1);
  const type = name.trim().toLowerCase();
  const { text } = decode(body.subarray(0, judgedBytes), { isMarkup: true, contentType });
  const isBinary = text.slice(0, signatureBytes).includes('\0');
  if (htmlTypes.has(type) && !isBinary) return page;
  // A PDF may begin later ("PDF Reference" 1.7, implementation note 13).
  if (characters.includes('%PDF-')) return file;
  if (isBinary || /^(?:audio|font|image|video)\//.test(type)) return refused(notText);
  if (vagueTypes.has(type) && isHtml(text)) return page;
  return isForPrograms(type) ? refused(forPrograms) : file;
}

const notText = 'It is no document: it is a program, a picture, a recording, or something else without text.';
const forPrograms = 'The server says that it is for programs: data, a feed, a script or a style.';

function refusalOf(start: Buffer): string | undefined {
  try {
    refuseUnsupported(start);
  } catch (error) {
    if (error instanceof NotExtractable) return error.message;
    throw error;
  }
}

/** PDF, ZIP (DOCX), RTF, and the earlier files of Office. */
const signatures = ['%PDF-', 'PK\x03\x04', 'PK\x05\x06', '{\\rtf', '\xd0\xcf\x11\xe0'];
