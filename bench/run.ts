/**
 * `npm run bench`: measures the figures of the documents, and prints them. It fails if a figure is over its budget.
 *
 *   npm run bench -- cold-path growth     only these
 *   npm run bench -- --write              puts the figures into the documents, too
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { replaceMarked } from '../scripts/generate/marks.ts';
import { commitOf } from '../scripts/shared/commit.ts';
import { root } from '../scripts/shared/root.ts';
import { type Findings, overBudget } from './budgets.ts';
import { bulk } from './bulk.ts';
import { bulkImport } from './bulk-import.ts';
import { cli } from './cli.ts';
import { coldPath } from './cold-path.ts';
import { consolePages, consoleTimes } from './console.ts';
import { conversationSearch } from './conversation-search.ts';
import { conversations } from './conversations.ts';
import { evaluations } from './evaluations.ts';
import { feedLag } from './feed-lag.ts';
import { files } from './files.ts';
import { functions } from './functions.ts';
import { growth } from './growth.ts';
import { hybridSearch } from './hybrid-search.ts';
import { knowledge } from './knowledge.ts';
import { nightly } from './nightly.ts';
import { help, optionsOf } from './options.ts';
import { pipeline } from './pipeline.ts';
import { races } from './races.ts';
import { ranking } from './ranking/report.ts';
import { rateLimits } from './rate-limits.ts';
import { requests } from './requests.ts';
import { sdkClients } from './sdk-clients.ts';
import { type Bench, openBench } from './service.ts';
import { sources } from './sources.ts';
import { progress } from './statistics.ts';
import { synth } from './synth.ts';
import { tests } from './tests.ts';
import { webhooks } from './webhooks.ts';
import { webhooksKilled } from './webhooks-killed.ts';
import { workloadTokens } from './workload-tokens.ts';

const parts: Record<string, (bench: Bench) => Promise<string | Findings>> = {
  'cold-path': coldPath,
  'sdk-clients': sdkClients,
  functions,
  pipeline,
  requests,
  races,
  'rate-limits': rateLimits,
  'workload-tokens': workloadTokens,
  growth,
  knowledge,
  sources,
  files,
  'hybrid-search': hybridSearch,
  ranking,
  'conversation-search': conversationSearch,
  conversations,
  bulk,
  'bulk-import': bulkImport,
  evaluations,
  nightly,
  webhooks,
  'webhooks-killed': webhooksKilled,
  'feed-lag': feedLag,
  synth,
  cli,
  console: consolePages,
  'console-times': consoleTimes,
  tests,
};
const names = Object.keys(parts);

const document = resolve(import.meta.dirname, '../docs/performance.md');
const options = optionsOf(process.argv.slice(2), names);
if (options.kind === 'help') {
  console.log(help(names));
  process.exit(0);
}
if (options.kind === 'error') {
  console.error(`${options.message}\n\n${help(names)}`);
  process.exit(2);
}

const commit = commitOf(root);
const bench = await openBench();
const exceeded: string[] = [];
for (const name of options.parts) {
  const found = await parts[name]?.(bench);
  if (found === undefined) continue;
  const findings = typeof found === 'string' ? { text: found, budgeted: [] } : found;
  progress('');
  console.log(`\n${name}\n\n${findings.text}`);
  exceeded.push(...overBudget(findings));
  if (options.write) replace(name, findings.text);
}
if (options.write) {
  const cpu = cpus()[0]?.model ?? 'CPU';
  replace('machine', `Node ${process.version}, ${process.arch}, ${cpus().length} × ${cpu}.`);
}
await bench.stop();
for (const sentence of exceeded) console.error(`Over budget: ${sentence}.`);
process.exit(exceeded.length > 0 ? 1 : 0);

/** Writes figures between their marks. */
function replace(name: string, figures: string): void {
  const measured =
    name === 'machine'
      ? figures
      : `${figures}

Measured on commit ${commit}.`;
  writeFileSync(document, replaceMarked(readFileSync(document, 'utf8'), name, measured));
}
