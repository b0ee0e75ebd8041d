/** PDFs whose pages are drawn by operators, so that a test says where each text is. */

import { pdfOf } from './sample-files.ts';

export type DrawnPage = {
  drawn: string;
  /** Dictionaries of annotations. */
  annotations?: readonly string[];
  /** More entries of the page, such as `/Rotate 90`. */
  entries?: string;
};

type More = {
  /** Entries of the catalog. */
  catalog?: string;
  /** Entries of the resources of all pages. */
  resources?: string;
  /** Entries of the font F1. */
  font?: string;
  /** Objects from number 4. */
  objects?: Parameters<typeof pdfOf>[0];
};

/** @returns a PDF with these pages of 600 × 800 points. F1 is Helvetica */
export function drawnPdf(pages: readonly (DrawnPage | string)[], more: More = {}): Uint8Array {
  const { catalog = '', resources = '', font = '/Encoding /WinAnsiEncoding', objects = [] } = more;
  const first = 4 + objects.length;
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${font} >>`,
    ...objects,
    ...pages.flatMap((page, at) => {
      const { drawn, annotations = [], entries = '' } = typeof page === 'string' ? { drawn: page } : page;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${first + 2 * at + 1} 0 R ${entries} ` +
          `/Resources << /Font << /F1 3 0 R >> ${resources} >> /Annots [${annotations.join(' ')}] >>`,
        { dictionary: '', stream: Buffer.from(drawn, 'latin1') },
      ];
    }),
  ]);
}

const quoted = (text: string): string => text.replace(/[\\()]/g, '\\$&');

/** @returns the operators that draw a text */
export const put = (x: number, y: number, text: string, size = 10): string =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${quoted(text)}) Tj ET\n`;

/** @returns the operators that draw lines below each other */
export const putLines = (x: number, y: number, lines: readonly string[], pitch = 12): string =>
  lines.map((line, at) => put(x, y - pitch * at, line)).join('');
