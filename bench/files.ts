/** The texts of files: how well their words agree with those that other programs find, and the time and memory of their extraction. */

import { processLimits } from '../lib/readers/extraction/bounded-process.ts';
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

export async function files(): Promise<string> {
  const { compared = [], exempt = [] } = Object.groupBy(await knownPdfs(), (file) =>
    isDifferent(file) ? 'exempt' : 'compared',
  );
  const rows = [
    rowOf('PDF', await extractKnown(compared)),
    rowOf('PDF, exempt from the limit', await extractKnown(exempt)),
    rowOf('DOCX', await extractKnown(await knownDocuments())),
  ];
  for (const [kind, hostile = []] of Object.entries(Object.groupBy(hostileFiles, ({ kind }) => kind)))
    rows.push(rowOf(`hostile ${kind}`, await extractHostile(hostile)));
  return [
    table(head, rows),
    '',
    `Real files are those of published npm packages. The words of a PDF are compared with those of \`pdftotext\` 22.12: the F1 of both ` +
      'texts. Of a DOCX, it is the share of the words of its XML that the text has. [A test](../test/lib/readers/extraction/real.test.ts) ' +
      `fails below ${leastAgreement}, except for the PDFs of the second row, which are [listed with what is known about ` +
      'them](../test/support/real-texts.ts). [Hostile files](../test/support/hostile-files.ts) try to take too much time or memory. ' +
      `Each file is read by a process of its own, which is stopped after ${processLimits.elapsedMs / 1000} s, or above ` +
      `${megabytes(processLimits.residentBytes)} of resident memory. The memory is checked from time to time, so it may be a little more. ` +
      'The time has the start of the process. Reading stops early if the text is too large.',
  ].join('\n');
}

function rowOf(name: string, found: readonly Extracted[]): string[] {
  const agreeing = found.flatMap(({ agrees }) => agrees ?? []);
  const times = found.map(({ elapsedMs }) => elapsedMs);
  const share = (value: number) => (agreeing.length === 0 ? '' : value.toFixed(3));
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
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
}

async function extractKnown(known: readonly KnownFile[]): Promise<Extracted[]> {
  const found: Extracted[] = [];
  for (const file of known) {
    progress(`files: ${file.name}`);
    const extracted = await measuredExtraction(file.bytes);
    found.push({ ...extracted, agrees: agreementOf(file, extracted.text) });
  }
  return found;
}

async function extractHostile(hostile: typeof hostileFiles): Promise<Extracted[]> {
  const found: Extracted[] = [];
  for (const { kind, name, make } of hostile) {
    progress(`files: hostile ${kind}, ${name}`);
    found.push(await measuredExtraction(make()));
  }
  return found;
}
