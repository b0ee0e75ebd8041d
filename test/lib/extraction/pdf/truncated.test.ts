/** A file whose end is missing gives the pages that are in it. */

import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from '../../../../lib/extraction/pdf/read-pdf.ts';
import { drawnPdf, put } from '../../../support/drawn-pdf.ts';
import { pdfOf } from '../../../support/sample-files.ts';

const pages = Array.from({ length: 10 }, (_, at) => put(50, 700, `This is page ${at + 1}.`).repeat(3));
const cutBefore = (file: Uint8Array, text: string, more = 0) =>
  Buffer.from(file).subarray(0, Buffer.from(file).lastIndexOf(text) + more);
const read = async (file: Uint8Array) => {
  const { text, notes } = await readPdf(file);
  return { pages: text.split('\f').map((page) => page.trim()), codes: notes.map(({ code }) => code) };
};

test('in the middle of a page', async () => {
  const { pages: texts, codes } = await read(cutBefore(drawnPdf(pages), 'This is page 7', 14));
  expect(texts.slice(0, 7)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((page) => expect.stringContaining(`page ${page}`)),
  );
  expect(codes[0]).toBe('truncated_file');
});

test('and with it the list of the pages', async () => {
  const file = Buffer.from(drawnPdf(pages)).toString('latin1');
  const list = /1 0 obj[\s\S]*?(?=3 0 obj)/.exec(file)?.[0] ?? '';
  const atEnd = Buffer.from(file.replace(list, '').replace(/xref\n[\s\S]*/, list), 'latin1');
  const whole = await read(atEnd);
  expect(whole.pages.slice(0, 10)).toEqual(pages.map((_, at) => `This is page ${at + 1}.`));
  const { pages: texts, codes } = await read(cutBefore(atEnd, 'This is page 8'));
  expect(texts).toEqual([...[1, 2, 3, 4, 5, 6, 7, 8].map((page) => `This is page ${page}.`), '']);
  expect(codes).toEqual(['truncated_file']);
});

test('whose pages are in packed objects', async () => {
  const page =
    '<< /Type /Page /MediaBox [0 0 600 800] /Contents 3 0 R /Resources << /Font << /F1 5 0 R >> >> >>';
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const numbers = `4 0 5 ${page.length + 1} `;
  const file = pdfOf([
    {
      dictionary: `/Type /ObjStm /N 2 /First ${numbers.length} /Filter /FlateDecode`,
      stream: deflateSync(Buffer.from(`${numbers}${page} ${font}`)),
    },
    '<< >>',
    { dictionary: '', stream: Buffer.from(put(50, 700, 'A packed page.')) },
  ]);
  const { pages: texts, codes } = await read(cutBefore(file, 'endobj'));
  expect(texts).toEqual(['A packed page.', '']);
  expect(codes).toEqual(['truncated_file']);
});

test('is complete with bytes behind its end', async () => {
  const { codes } = await read(
    Buffer.concat([drawnPdf(pages), Buffer.from('\n<!-- sent by a server -->\n')]),
  );
  expect(codes).toEqual([]);
});

test('without any page is broken', async () => {
  await expect(readPdf(cutBefore(drawnPdf(pages), '/Type /Page ', 0).subarray(0, 300))).rejects.toMatchObject(
    {
      code: 'unreadable_file',
    },
  );
});
