/** How complete the texts of files are, and the time and the memory of each reader. */

import { type MeasuredExtraction, measuredExtraction } from '../test/support/measured-extraction.ts';
import { agreementOf } from '../test/support/real-texts.ts';
import type { Findings } from './findings.ts';
import { knownFiles } from './independent-readers.ts';
import { watchMachine } from './machine.ts';
import { count, median, megabytes, progress } from './statistics.ts';
import { bytesOf, filled, missingIn, typedForms, typedTables } from './typed-documents.ts';

export async function files(): Promise<Findings> {
  const rows: string[][] = [];
  const agreements: Record<string, number> = {};
  const tables = await shown(
    typedTables.map(({ rows, ...table }) => ({ ...table, texts: rows, bytes: () => bytesOf(table) })),
  );
  const forms = await shown(
    typedForms.map((form) => ({
      ...form,
      texts: form.fields.map((field) => field.shown),
      bytes: () => filled(form),
    })),
  );
  for (const [type, known] of Object.entries(await knownFiles())) {
    const measured: (MeasuredExtraction & { agrees: number })[] = [];
    for (const file of known) {
      progress(`files: ${file.name}`);
      await watchMachine();
      const extraction = await measuredExtraction(file.bytes);
      measured.push({ ...extraction, agrees: agreementOf(file, extraction.text) });
    }
    const agreeing = measured.map(({ agrees }) => agrees);
    const times = measured.map(({ elapsedMs }) => elapsedMs);
    agreements[type] = median(agreeing);
    rows.push([
      type,
      count(measured.length),
      `${median(agreeing).toFixed(3)}, ${Math.min(...agreeing).toFixed(3)}`,
      tables.ratioOf(type),
      forms.ratioOf(type),
      `${seconds(median(times))}, ${seconds(Math.max(...times))}`,
      megabytes(Math.max(...measured.map(({ residentBytes }) => residentBytes))),
    ]);
  }
  return {
    head: [
      'type',
      'files',
      'words agree: median, lowest',
      'rows in one line',
      'values of forms',
      'time: median, worst',
      'memory, worst',
    ],
    rows,
    notes:
      'Files are those of published npm packages. Words are compared with those of `pdftotext` 22.12, of the XML of a DOCX, of html-to-text ' +
      'and of mailparser. The rows and the fields of [some documents](../bench/typed-documents.ts) were typed by hand. Each file is read in ' +
      'a process of its own, whose start takes most of the time of a small file. Must: words 0.995 in the median, rows 0.97, values 1.',
    rounds: 'each file once',
    spread: 'words from 0 to 1',
    budgeted: [
      ...Object.entries(agreements).map(([type, agrees]) => ({
        budget: 'wordsLoss' as const,
        what: `words of ${type}`,
        value: 1 - agrees,
      })),
      { budget: 'rowsLoss', what: `rows: ${tables.missing.join('; ')}`, value: tables.loss },
      { budget: 'valuesLoss', what: `values of forms: ${forms.missing.join('; ')}`, value: forms.loss },
    ],
  };
}

const seconds = (elapsedMs: number) => `${(elapsedMs / 1000).toFixed(1)} s`;

type ToShow = { file: string; texts: readonly string[]; bytes(): Promise<Uint8Array> };

/** @returns how many of the typed texts stand in the texts of their files, by types, and which do not */
async function shown(documents: readonly ToShow[]) {
  const found = new Map<string, [shown: number, all: number]>();
  const missing: string[] = [];
  for (const { file, texts, bytes } of documents) {
    progress(`files: ${file}`);
    const lost = missingIn((await measuredExtraction(await bytes())).text, texts);
    const type = file.split('.').at(-1)?.toUpperCase() ?? '';
    const [before, all] = found.get(type) ?? [0, 0];
    found.set(type, [before + texts.length - lost.length, all + texts.length]);
    missing.push(...lost);
  }
  const all = [...found.values()].reduce((sum, [, of]) => sum + of, 0);
  return {
    missing,
    loss: missing.length / all,
    ratioOf: (type: string) => found.get(type)?.join(' of ') ?? '',
  };
}
