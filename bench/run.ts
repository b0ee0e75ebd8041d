/**
 * `npm run bench`: measures what docs/performance.md claims, prints it and writes it there.
 *
 *   npm run bench -- cold-path growth     some of it; the rest of the document stays
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { coldPath } from './cold-path.ts';
import { growth } from './growth.ts';
import { pipeline } from './pipeline.ts';
import { races } from './races.ts';
import { requests } from './requests.ts';
import { openBench } from './service.ts';
import { progress } from './statistics.ts';

const parts = { 'cold-path': coldPath, pipeline, requests, races, growth };
type Part = keyof typeof parts;

const file = resolve(import.meta.dirname, '../docs/performance.md');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  process.exit(1);
}

const bench = await openBench();
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const figures = await measure(bench);
  progress('');
  console.log(`\n${name}\n\n${figures}`);
  replace(name as Part, figures);
}
replace(
  'machine',
  `Node ${process.version}, ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}.`,
);
await bench.stop();
process.exit(0);

/** Puts figures between the marks `<!-- name -->` and `<!-- /name -->`. */
function replace(name: Part | 'machine', figures: string): void {
  const text = readFileSync(file, 'utf8');
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end);
  if (to < from) throw new Error(`docs/performance.md has no place for ${name}`);
  writeFileSync(file, `${text.slice(0, from)}\n\n${figures}\n\n${text.slice(to)}`);
}
