/** What a benchmark has found, and how its document shows it: the same way for all benchmarks. */

import { cpus } from 'node:os';
import { replaceMarked, table } from '../scripts/shared/markdown.ts';
import type { Budgeted } from './budgets.ts';
import { percent } from './machine.ts';

export type Findings = {
  /** Empty if the notes have all figures. */
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** What a reader needs to know of the figures: sentences. */
  notes: string;
  /** How often they were measured, such as `25 rounds, in turn`. */
  rounds: string;
  /** What brackets contain. */
  spread?: string;
  budgeted: readonly Budgeted[];
};

/** `measuredOn` is undefined if the figures are simulated: then they are the same on every machine. */
export type Circumstances = {
  name: string;
  measuredOn: { commit: string; takenByOthers: number } | undefined;
};

/** @returns the Markdown between the marks of the benchmark */
export function shown(findings: Findings, { name, measuredOn }: Circumstances): string {
  const { head, rows, notes, rounds, spread = 'medians, with the quartiles in brackets' } = findings;
  const commit = measuredOn === undefined ? '' : `, on commit ${measuredOn.commit}`;
  const machine = measuredOn === undefined ? '' : machineOf(measuredOn.takenByOthers);
  const measured = `\`npm run bench -- ${name} --write\`${commit}: ${rounds}; ${spread}.${machine}`;
  return [...(rows.length > 0 ? [table(head, rows)] : []), notes, measured].join('\n\n');
}

const machineOf = (takenByOthers: number): string =>
  ` Node ${process.version}, ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}; ` +
  `other work took ${percent(takenByOthers)} of the processors.`;

/** @returns the document with these figures between the marks of the benchmark */
export const written = (document: string, findings: Findings, circumstances: Circumstances): string =>
  replaceMarked(document, circumstances.name, shown(findings, circumstances));
