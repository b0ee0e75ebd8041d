/** Opens a PDF. */

import { fileURLToPath } from 'node:url';
import { getDocumentProxy } from 'unpdf';
import { NotExtractable } from '../../readers/types.ts';
import { characterMaps } from './character-maps.ts';
import { isTruncated, repaired } from './truncated.ts';

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** @throws NotExtractable */
export async function openPdf(bytes: Uint8Array): Promise<{ document: PdfDocument; isTruncated: boolean }> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isCut = isTruncated(file);
  try {
    return { document: await openWithPage(file, isCut), isTruncated: isCut };
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new NotExtractable('encrypted', 'The PDF has a password. Upload it without the password.');
    }
    const whole = isCut ? repaired(file) : undefined;
    const document = whole && (await open(whole).catch(() => undefined));
    if (document) return { document, isTruncated: true };
    throw new NotExtractable('unreadable_file', 'The PDF is broken.');
  }
}

/** A file without its end may have a list of pages that are not in it. */
async function openWithPage(file: Uint8Array, isCut: boolean): Promise<PdfDocument> {
  const document = await open(file);
  if (isCut) await document.getPage(1);
  return document;
}

const open = (bytes: Uint8Array): Promise<PdfDocument> =>
  // The library takes over the memory of the bytes that it gets.
  getDocumentProxy(new Uint8Array(bytes), {
    verbosity: 0,
    cMapUrl: fileURLToPath(characterMaps),
    cMapPacked: true,
    // Pictures are not read.
    maxImageSize: 1,
  });
