/**
 * `npm run bench`: measures the figures of docs/performance.md, and those of other documents. Several benchmarks run one after the
 * other, each in a process of its own.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { commitOf } from '../scripts/shared/commit.ts';
import { root } from '../scripts/shared/root.ts';
import { benchmarks, documentOf, isSimulated, names } from './benchmarks.ts';
import { overBudget } from './budgets.ts';
import { type Circumstances, type Findings, shown, written } from './findings.ts';
import { refusal, samplesSoFar, takenByOthers } from './machine.ts';
import { help, optionsOf } from './options.ts';
import { progress } from './statistics.ts';

const options = optionsOf(process.argv.slice(2), names);
if (options.kind === 'help') {
  console.log(help(names));
} else if (options.kind === 'error') {
  console.error(`${options.message}\n\n${help(names)}`);
  process.exitCode = 2;
} else {
  const [first = '', ...others] = options.names;
  const isRight =
    others.length === 0 ? await measure(first, options.write) : runEach(options.names, options.write);
  process.exit(isRight ? 0 : 1);
}

/** @returns whether all have succeeded */
function runEach(names: readonly string[], write: boolean): boolean {
  const failed: string[] = [];
  const lines = names.map((name) => {
    const begunMs = performance.now();
    const args = [import.meta.filename, name, ...(write ? ['--write'] : [])];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) failed.push(name);
    const minutes = (performance.now() - begunMs) / 60_000;
    return `${minutes.toFixed(1).padStart(6)} min  ${name}${status === 0 ? '' : ': failed'}`;
  });
  console.log(`\n${lines.join('\n')}`);
  if (failed.length > 0)
    console.error(`\nAgain: npm run bench -- ${failed.join(' ')}${write ? ' --write' : ''}`);
  return failed.length === 0;
}

/** @returns whether the figures are within their budgets, and the machine was quiet enough to say so */
async function measure(name: string, write: boolean): Promise<boolean> {
  if (isSimulated(name)) return judged(await findingsOf(name), { name, measuredOn: undefined }, write);
  const before = refusal(await samplesSoFar());
  if (before !== undefined && write) return refused(name, before);
  // The tables that benchmarks have written just now do not change what is measured.
  const commit = commitOf(root, [...new Set(names.map(documentOf))]);
  const findings = await findingsOf(name);
  const samples = await samplesSoFar();
  const circumstances = { name, measuredOn: { commit, takenByOthers: takenByOthers(samples) } };
  const during = refusal(samples);
  if (during === undefined) return judged(findings, circumstances, write);
  print(findings, circumstances);
  return refused(name, during);
}

async function findingsOf(name: string): Promise<Findings> {
  const findings = await benchmarks[name]?.();
  if (!findings) throw new Error(`there is no benchmark ${name}`);
  return findings;
}

function print(findings: Findings, circumstances: Circumstances): void {
  progress('');
  console.log(`\n${circumstances.name}\n\n${shown(findings, circumstances)}`);
}

function judged(findings: Findings, circumstances: Circumstances, write: boolean): boolean {
  print(findings, circumstances);
  const document = resolve(root, documentOf(circumstances.name));
  if (write) writeFileSync(document, written(readFileSync(document, 'utf8'), findings, circumstances));
  const sentences = overBudget(findings.budgeted);
  for (const sentence of sentences) console.error(`Over budget: ${sentence}.`);
  return sentences.length === 0;
}

function refused(name: string, reason: string): false {
  console.error(`${name} writes nothing and judges nothing: ${reason}.`);
  return false;
}
