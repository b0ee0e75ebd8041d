/** The cold path: import of the bundle plus the first request, in a fresh process, against the naive bundle. */

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { endpoints } from '../functions/index.ts';
import { bundle, functionFolder } from '../scripts/bundle.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { tableVariables } from '../scripts/local/dynamodb.ts';
import { bundleNaive } from './naive/bundle.ts';
import { type Bench, tablePrefix } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const runs = 25;

type Run = { statusCode: number; importMs: number; totalMs: number };

export async function coldPath(bench: Bench): Promise<string> {
  await bundle();
  const naive = await bundleNaive();
  const { data } = await bench.send('POST', '/projects', { body: { name: 'cold' } });
  const { route, event } = requestEvent(bench.routes, 'GET', `/projects/${data.id}`, { key: bench.key });
  const ours = resolve(functionFolder(route.endpoint), 'index.mjs');

  const start = (file: string): Run => {
    const args = [resolve(import.meta.dirname, 'cold-child.mjs'), file, JSON.stringify(event)];
    const env = { ...process.env, ...tableVariables(tablePrefix) };
    const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
    // The request's log line comes before.
    const run = JSON.parse(output.slice(output.lastIndexOf('\n') + 1)) as Run;
    if (run.statusCode !== 200) throw new Error(`${file} answered ${run.statusCode}`);
    return run;
  };
  // DynamoDB Local is no part of what is measured, and answers several times slower until it is warm.
  for (let index = 0; index < 1000; index += 1) await bench.send('GET', `/projects/${data.id}`);
  const pairs: { ours: Run; naive: Run }[] = [];
  for (let index = -2; index < runs; index += 1) {
    progress(`cold path: pair ${Math.max(index + 1, 0)} of ${runs}`);
    const pair = { ours: start(ours), naive: start(naive) };
    // The first two warm the disk's cache.
    if (index >= 0) pairs.push(pair);
  }

  const row = (name: string, file: string, which: 'ours' | 'naive') => [
    name,
    `${(statSync(file).size / 1000).toFixed(0)} KB`,
    ms(median(pairs.map((pair) => pair[which].importMs))),
    ms(median(pairs.map((pair) => pair[which].totalMs - pair[which].importMs))),
    ms(median(pairs.map((pair) => pair[which].totalMs))),
  ];
  const ratio = median(pairs.map((pair) => pair.ours.totalMs / pair.naive.totalMs));
  const sizes = endpoints.map((endpoint) => statSync(resolve(functionFolder(endpoint), 'index.mjs')).size);
  return [
    table(
      ['`GET /projects/{project_id}`', 'bundle', 'import', 'first request', 'cold path'],
      [row('ours', ours, 'ours'), row('naive', naive, 'naive')],
    ),
    '',
    `Ratio of the cold paths, pair by pair: **${ratio.toFixed(2)}** (budget: at most 0.60). Medians of ${runs} pairs. ` +
      `Bundles of all functions: ${Math.min(...sizes) / 1000} to ${Math.max(...sizes) / 1000} KB (budget: at most 310).`,
  ].join('\n');
}
