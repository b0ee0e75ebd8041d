/** What other programs read in real files. */

import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { type PackedFrom, type RealFile, realFiles } from './packed-files.ts';
import { wordsOf } from './words.ts';

export type KnownFile = RealFile & { words: ReadonlyMap<string, number> };

const withPdfs = ['pdf-extract@1.0.11', 'pdf-parse@1.1.1', 'pdf-viewer@0.8.1', 'scissors@0.3.0'] as const;
const withDocuments = ['docx4js@3.3.0', 'docxtemplater@3.0.0', 'mammoth@1.4.0', 'scissors@0.3.0'] as const;

/**
 * The PDFs in which `pdftotext` 22.12 (`pdftotext -enc UTF-8 FILE -`) finds at least eight words. Its words are kept in
 * pdftotext.json.gz, so that the program need not be installed.
 */
export async function knownPdfs(from: readonly PackedFrom[] = withPdfs): Promise<KnownFile[]> {
  const kept = new URL('../lib/knowledge/extraction/pdftotext.json.gz', import.meta.url);
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
