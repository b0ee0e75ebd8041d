/** Measures a function's first request in a new process, in rounds: ours and the baselines in turn. */

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { filesVariable } from '../lib/base/files.ts';
import { tableVariables } from '../lib/dynamodb/tables.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import type { Worker } from '../lib/workers/worker.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { localSecretsKey } from '../scripts/local/machine-key.ts';
import { type Baseline, bundleNaive } from './naive/bundle.ts';
import { type Bench, tablePrefix } from './service.ts';
import { median } from './statistics.ts';

/** A bundle and its request or change. */
export type Start = { file: string; event: APIGatewayProxyEvent | { Records: readonly object[] } };

/** Milliseconds, from before the import. A worker has no status. `lines` is the log. */
export type Run = {
  statusCode?: number;
  importMs: number;
  totalMs: number;
  /** CPU time. */
  processorMs: number;
  peakBytes: number;
  lines: readonly Record<string, unknown>[];
};

export type Starts = Record<'ours' | Baseline, Start>;
export type Round = Record<keyof Starts, Run>;

export const bundleOf = (declared: Endpoint | Worker): string =>
  resolve(functionFolder(declared), 'index.mjs');

/** @returns a file's size in thousands of bytes */
export const kilobytes = (file: string): number => statSync(file).size / 1000;

/** @throws Error if the request fails, because failures take a shorter path */
export function coldStart({ file, event }: Start): Run {
  const args = [resolve(import.meta.dirname, 'cold-child.mjs'), file, JSON.stringify(event)];
  const secretsKey = { [secretsKeyVariable]: localSecretsKey() };
  // A link is computed without a request.
  const bucket = { [filesVariable]: 'bucket' };
  const env = { ...process.env, ...tableVariables(tablePrefix), ...secretsKey, ...bucket };
  const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  const lines = output.split('\n').map((line) => JSON.parse(line));
  const run = { ...lines.pop(), lines } as Run;
  if (run.statusCode && run.statusCode >= 300) throw new Error(`${file} answered ${run.statusCode}`);
  return run;
}

/**
 * Starts ours and the two baselines in turn, so that other load affects all three.
 * @param next returns what to start. Called for each round, because a request may work only once
 */
export async function coldRounds(count: number, next: () => Promise<Starts>): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let index = -2; index < count; index += 1) {
    const { ours, naive, minified } = await next();
    const round = { ours: coldStart(ours), naive: coldStart(naive), minified: coldStart(minified) };
    // The first two warm the disk's cache.
    if (index >= 0) rounds.push(round);
  }
  return rounds;
}

/** @returns our cold path relative to a baseline's: the median of the rounds' ratios */
export const ratioTo = (
  baseline: Baseline,
  rounds: readonly Round[],
  of: 'totalMs' | 'processorMs' = 'totalMs',
): number => median(rounds.map((round) => round.ours[of] / round[baseline][of]));

/** @returns the baselines, which implement only this request */
export async function baselines(event: APIGatewayProxyEvent): Promise<Record<Baseline, Start>> {
  return {
    naive: { file: await bundleNaive('naive'), event },
    minified: { file: await bundleNaive('minified'), event },
  };
}

/** @returns the one request that the naive bundle implements, and a function that sends it */
export async function projectRequest(bench: Bench) {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'cold' } });
  const path = `/projects/${data.id}`;
  // DynamoDB Local is not part of the measurement, and several times slower until it is warm.
  for (let index = 0; index < 1000; index += 1) await bench.send('GET', path);
  return requestEvent(bench.routes, 'GET', path, { key: bench.key });
}
