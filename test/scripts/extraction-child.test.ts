/** The bundle of the process that reads files works without the repository. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extractInProcess } from '../../lib/extraction/bounded-process.ts';
import { bundleExtractionChild } from '../../scripts/bundle/extraction-child.ts';
import { docxFile, japanesePdf, pdfFile } from '../support/sample-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'extraction-child-'));
const child = {
  file: pathToFileURL(join(folder, 'extraction-child.mjs')),
  folder: pathToFileURL(`${folder}/`),
};

beforeAll(() => bundleExtractionChild(folder));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['a PDF', pdfFile([['Within 30 days.']]), 'Within 30 days.'],
  ['a PDF in Japanese', japanesePdf('返品できます'), '返品できます'],
  ['a DOCX', docxFile([['Shop', 'Heading1'], ['Within 30 days.']]), '# Shop\n\nWithin 30 days.'],
  ['HTML', Buffer.from('<html><h1>Shop</h1>'), '# Shop'],
  ['RTF', Buffer.from('{\\rtf1 Shop}'), 'Shop'],
  ['a mail', Buffer.from('Subject: Shop\nMIME-Version: 1.0\n\n30 days'), '# Shop\n\n30 days'],
  ['CSV', Buffer.from('a,b\n1,2\n3,4'), '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |'],
])('%s', async (_, file, text) => {
  expect((await extractInProcess(file, {}, { child })).text.trim()).toBe(text);
});
