/** The words of real files are those that other programs find, within the limits below. */

import { describe, expect, test } from 'vitest';
import { extractText } from '../../../lib/extraction/extract.ts';
import {
  agreementOf,
  isDifferent,
  type KnownFile,
  knownDocuments,
  knownPdfs,
  leastAgreement,
} from '../../support/real-texts.ts';

/** A file without a text has no words. */
const textOf = ({ bytes }: KnownFile) =>
  extractText(bytes).then(
    ({ text }) => text,
    () => '',
  );

async function compare(files: readonly KnownFile[]) {
  const found: { name: string; agrees: number; isDifferent: boolean }[] = [];
  for (const file of files) {
    const agrees = agreementOf(file, await textOf(file));
    found.push({ name: file.name, agrees, isDifferent: isDifferent(file) });
  }
  return found;
}

const tooDifferent = (found: Awaited<ReturnType<typeof compare>>) =>
  found.filter((file) => file.agrees < leastAgreement && !file.isDifferent);

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
    const agreeing = found.filter(({ agrees }) => agrees >= leastAgreement);
    expect(agreeing.length).toBeGreaterThanOrEqual(30);
  });

  test('DOCX files, compared with their XML', async () => {
    const files = await knownDocuments();
    expect(files.length).toBeGreaterThanOrEqual(15);
    expect(tooDifferent(await compare(files))).toEqual([]);
  });
});
