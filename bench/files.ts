/** The texts of files: how well their words agree with those that other programs find, and the time and memory of their extraction. */

import { processLimits } from '../lib/knowledge/extraction/bounded-process.ts';
import { hostileFiles } from '../test/support/hostile-files.ts';
import { type MeasuredExtraction, measuredExtraction } from '../test/support/measured-extraction.ts';
import {
  agreementOf,
  isDifferent,
  type KnownFile,
  knownDocuments,
  knownPdfs,
  leastAgreement,
} from '../test/support/real-texts.ts';
import { count, megabytes } from './bulk-service.ts';
import { median, progress, table } from './statistics.ts';

type Extracted = MeasuredExtraction & { agrees?: number };

export async function files(): Promise<string> {
  const pdfs = await knownPdfs();
  const rows = [
    [
      'PDF',
      await extractKnown(
        'PDF',
        pdfs.filter((file) => !isDifferent(file)),
      ),
    ],
    ['PDF, not compared by the test', await extractKnown('PDF', pdfs.filter(isDifferent))],
    ['DOCX', await extractKnown('DOCX', await knownDocuments())],
    ...(await extractHostile()),
  ] satisfies [string, Extracted[]][];
  const seconds = (elapsedMs: number) => `${(elapsedMs / 1000).toFixed(1)} s`;
  const head = [
    'files',
    'number',
    'with a text',
    'words agree, lowest',
    'words agree, median',
    'time, median',
    'time, worst',
    'memory, worst',
  ];
  return [
    table(
      head,
      rows.map(([name, found]) => {
        const agreeing = found.flatMap(({ agrees }) => agrees ?? []);
        const times = found.map(({ elapsedMs }) => elapsedMs);
        const share = (value: number) => (agreeing.length === 0 ? '' : value.toFixed(3));
        return [
          name,
          count(found.length),
          count(found.filter(({ end }) => end === 'done').length),
          share(Math.min(...agreeing)),
          share(median(agreeing)),
          seconds(median(times)),
          seconds(Math.max(...times)),
          megabytes(Math.max(...found.map(({ residentBytes }) => residentBytes))),
        ];
      }),
    ),
    '',
    `Real files are those of published npm packages. The words of a PDF are compared with those of \`pdftotext\` 22.12: the F1 of both ` +
      'texts. Of a DOCX, it is the share of the words of its XML that the text has. [A test](../test/lib/knowledge/extraction/real.test.ts) ' +
      `fails below ${leastAgreement}, except for the PDFs of the second row, which are [listed with what is known about ` +
      'them](../test/support/real-texts.ts). [Hostile files](../test/support/hostile-files.ts) try to take too much time or memory. ' +
      `Each file is read by a process of its own, which is stopped after ${processLimits.elapsedMs / 1000} s, or above ` +
      `${megabytes(processLimits.residentBytes)} of resident memory. The memory is checked from time to time, so it may be a little more. ` +
      'The time has the start of the process. Reading stops early if the text is too large.',
  ].join('\n');
}

async function extractKnown(kind: string, known: readonly KnownFile[]): Promise<Extracted[]> {
  const found: Extracted[] = [];
  for (const file of known) {
    progress(`files: ${kind} ${file.name}`);
    const extracted = await measuredExtraction(file.bytes);
    found.push({ ...extracted, agrees: agreementOf(file, extracted.text) });
  }
  return found;
}

async function extractHostile(): Promise<[string, Extracted[]][]> {
  const byKind = Object.groupBy(hostileFiles, ({ kind }) => kind);
  const rows: [string, Extracted[]][] = [];
  for (const [kind, some = []] of Object.entries(byKind)) {
    const found: Extracted[] = [];
    for (const { name, make } of some) {
      progress(`files: hostile ${kind}, ${name}`);
      found.push(await measuredExtraction(make()));
    }
    rows.push([`hostile ${kind}`, found]);
  }
  return rows;
}
