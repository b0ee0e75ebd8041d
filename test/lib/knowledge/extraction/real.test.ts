/** The words of real files are those that other programs find, within the limits below. */

import { describe, expect, test } from 'vitest';
import { extractText } from '../../../../lib/knowledge/extraction/extract.ts';
import { type KnownFile, knownDocuments, knownPdfs } from '../../../support/real-texts.ts';
import { agreement, shareFound, wordsOf } from '../../../support/words.ts';

/** Each file agrees at least so well. */
const least = 0.95;

/**
 * PDFs for which the two readers differ by design: a font without a map to characters, which each reader guesses in another way;
 * Arabic, which `pdftotext` orders in another way; letters that are placed one by one; and marks of the printer outside of the
 * page, which only `pdftotext` reads.
 */
const different = new Set(
  'ArabicCIDTrueType TAMReview ThuluthFeatures ZapfDingbats bug900822 bug946506 complex_ttf_font freeculture issue1350 issue1905 issue2948 issue5747 issue5801 issue5874 rotated'.split(
    ' ',
  ),
);
const nameOf = (path: string) => path.split('/').at(-1)?.replace('.pdf', '') ?? '';

/** No words if the file has no text. */
const textOf = async ({ bytes }: KnownFile) =>
  wordsOf(
    await extractText(bytes).then(
      ({ text }) => text,
      () => '',
    ),
  );

/** In a DOCX, only missing words count: its text has the numbers of notes and lists, which its XML has not. */
const measureOf = ({ name }: KnownFile) => (name.endsWith('.docx') ? shareFound : agreement);

async function compare(files: readonly KnownFile[]) {
  const found: { name: string; agrees: number }[] = [];
  for (const file of files)
    found.push({ name: file.name, agrees: measureOf(file)(file.words, await textOf(file)) });
  return found;
}

const tooDifferent = (found: Awaited<ReturnType<typeof compare>>) =>
  found.filter(({ name, agrees }) => agrees < least && !different.has(nameOf(name)));

test('some real files', { tags: ['long'] }, async () => {
  const files = [...(await knownDocuments(['mammoth@1.4.0'])), ...(await knownPdfs(['scissors@0.3.0']))];
  expect(files.length).toBeGreaterThanOrEqual(10);
  expect(tooDifferent(await compare(files))).toEqual([]);
});

describe('all real files', { tags: ['nightly'] }, () => {
  test('PDFs, compared with pdftotext', async () => {
    const files = await knownPdfs();
    expect(files.length).toBeGreaterThanOrEqual(40);
    const found = await compare(files);
    expect(tooDifferent(found)).toEqual([]);
    const agreeing = found.filter(({ agrees }) => agrees >= least);
    expect(agreeing.length).toBeGreaterThanOrEqual(30);
  });

  test('DOCX files, compared with their XML', async () => {
    const files = await knownDocuments();
    expect(files.length).toBeGreaterThanOrEqual(15);
    expect(tooDifferent(await compare(files))).toEqual([]);
  });
});
