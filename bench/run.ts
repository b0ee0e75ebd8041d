/**
 * `npm run bench`: measures what the documents claim, prints it and writes it there.
 *
 *   npm run bench -- cold-path growth     some of it; the rest stays
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { coldPath } from './cold-path.ts';
import { conversationSearch } from './conversation-search.ts';
import { conversations } from './conversations.ts';
import { costs } from './costs.ts';
import { functions } from './functions.ts';
import { growth } from './growth.ts';
import { knowledge } from './knowledge.ts';
import { pipeline } from './pipeline.ts';
import { races } from './races.ts';
import { ranking } from './ranking.ts';
import { requests } from './requests.ts';
import { openBench } from './service.ts';
import { progress } from './statistics.ts';
import { synth } from './synth.ts';

const parts = {
  'cold-path': coldPath,
  functions,
  pipeline,
  requests,
  races,
  growth,
  knowledge,
  ranking,
  'conversation-search': conversationSearch,
  conversations,
  synth,
  costs,
};
type Part = keyof typeof parts;

const documents = ['performance.md', 'operations.md'].map((name) =>
  resolve(import.meta.dirname, '../docs', name),
);
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

/** Puts figures between the marks `<!-- name -->` and `<!-- /name -->`, in the document that has them. */
function replace(name: Part | 'machine', figures: string): void {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  for (const file of documents) {
    const text = readFileSync(file, 'utf8');
    const from = text.indexOf(start) + start.length;
    const to = text.indexOf(end, from);
    if (!text.includes(start) || to === -1) continue;
    writeFileSync(file, `${text.slice(0, from)}\n\n${figures}\n\n${text.slice(to)}`);
    return;
  }
  throw new Error(`no document has a place for ${name}`);
}
