/** Opens a PDF. */

import { fileURLToPath } from 'node:url';
import { getDocumentProxy } from 'unpdf';
import { NotExtractable } from '../types.ts';
import { characterMaps } from './character-maps.ts';

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** @throws NotExtractable */
export async function openPdf(bytes: Uint8Array): Promise<{ document: PdfDocument; isTruncated: boolean }> {
  try {
    return { document: await open(bytes), isTruncated: isCut(bytes) };
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new NotExtractable('encrypted', 'The PDF has a password. Upload it without the password.');
    }
    throw new NotExtractable('unreadable_file', 'The PDF is broken.');
  }
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

/** The end of a PDF says where its table of objects is. Whatever is behind the last object may be missing. */
function isCut(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return file.lastIndexOf('startxref') < file.lastIndexOf('endobj');
}
