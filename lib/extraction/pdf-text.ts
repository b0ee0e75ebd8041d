/** The text of a PDF. */

import { readPdf } from './pdf/read-pdf.ts';

/** @throws NotExtractable */
export const pdfText = async (bytes: Uint8Array): Promise<string> => (await readPdf(bytes)).text;
