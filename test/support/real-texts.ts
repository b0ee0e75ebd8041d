/** What other programs read in real files. */

import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { type PackedFrom, type RealFile, realFiles } from './packed-files.ts';
import { agreement, shareFound, wordsOf } from './words.ts';

export type KnownFile = RealFile & { words: ReadonlyMap<string, number> };

/** The words of a text agree with the known words at least so well. */
export const leastAgreement = 0.95;

/**
 * PDFs whose words agree less. What is known about them:
 *
 * - freeculture: `pdftotext` also reads what is outside of the visible page, such as the numbers of the lines.
 * - bug946506, issue1905, issue2948, rotated: `pdftotext` splits words.
 * - bug900822: `pdftotext` splits some words, of which our text has each letter several times.
 * - issue5747: our text joins words between which `pdftotext` has the end of a line.
 * - issue1350: our text has all words of `pdftotext` except for one, and more words.
 * - issue5801: the words of `pdftotext` have wrong letters.
 * - ArabicCIDTrueType: our text has the letters of each line from the last to the first.
 * - ZapfDingbats: `pdftotext` has the signs of the font, our text has the letters of their keys. Our text lacks the
 *   lines at the top of the page.
 * - The others: a part of both texts has wrong characters.
 */
const different = new Set(
  (
    'ArabicCIDTrueType TAMReview ThuluthFeatures ZapfDingbats bug900822 bug946506 complex_ttf_font freeculture ' +
    'issue1350 issue1905 issue2948 issue5747 issue5801 issue5874 rotated'
  ).split(' '),
);

export const isDifferent = ({ name }: KnownFile): boolean =>
  different.has(name.split('/').at(-1)?.replace('.pdf', '') ?? '');

/**
 * @returns how well the words of a text agree with the known words, from 0 to 1. In a DOCX, only missing words count: its text has
 * the numbers of notes and lists, which its XML has not
 */
export const agreementOf = ({ name, words }: KnownFile, text: string): number =>
  (name.endsWith('.docx') ? shareFound : agreement)(words, wordsOf(text));

const withPdfs = ['pdf-extract@1.0.11', 'pdf-parse@1.1.1', 'pdf-viewer@0.8.1', 'scissors@0.3.0'] as const;
const withDocuments = ['docx4js@3.3.0', 'docxtemplater@3.0.0', 'mammoth@1.4.0', 'scissors@0.3.0'] as const;

/**
 * The PDFs in which `pdftotext` 22.12 (`pdftotext -enc UTF-8 FILE -`) finds at least eight words. Its words are kept in
 * pdftotext.json.gz, so that the program need not be installed.
 */
export async function knownPdfs(from: readonly PackedFrom[] = withPdfs): Promise<KnownFile[]> {
  const kept = new URL('../lib/readers/extraction/pdftotext.json.gz', import.meta.url);
  const known: Record<string, Record<string, number>> = JSON.parse(
    gunzipSync(await readFile(kept)).toString(),
  );
  const files = await realFiles('.pdf', from);
  return files.flatMap((file) => {
    const words = known[file.name];
    return words ? [{ ...file, words: new Map(Object.entries(words)) }] : [];
  });
}

/** The DOCX files that have words, with the words of their XML: of the document and of its notes. */
export async function knownDocuments(from: readonly PackedFrom[] = withDocuments): Promise<KnownFile[]> {
  const files = await realFiles('.docx', from);
  return files
    .map((file) => ({ ...file, words: wordsOf(textOfXml(file.bytes)) }))
    .filter(({ words }) => words.size > 0);
}

const parts = /^word\/(document|footnotes|endnotes)\d*\.xml$/;

function textOfXml(file: Uint8Array): string {
  const entries = Object.entries(unzipSync(file, { filter: ({ name }) => parts.test(name) }));
  return entries.map(([, xml]) => textOf(strFromU8(xml))).join('\n');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** A document may have a text box twice, for new and for old versions of Word. The old one does not count. */
const textOf = (xml: string): string => {
  const current = xml.replace(/<mc:Fallback>[\s\S]*?<\/mc:Fallback>/g, '');
  const runs = current.matchAll(/<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:(?:p|tab|br|cr)[\s/>]/g);
  const text = Array.from(runs, ([, run]) => run ?? '\n').join('');
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (entity, name: string) => entities[name] ?? entity);
};
