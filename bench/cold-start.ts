/** Measures a function's first request in a new process. */

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { filesVariable } from '../lib/base/files.ts';
import { tableVariables } from '../lib/dynamodb/tables.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { localSecretsKey } from '../scripts/local/machine-key.ts';
import { type Bench, tablePrefix } from './service.ts';

/** Milliseconds, from before the import. */
export type Run = { totalMs: number; processorMs: number };

export const bundleOf = (endpoint: Endpoint): string => resolve(functionFolder(endpoint), 'index.mjs');

/** @returns a file's size in thousands of bytes */
export const kilobytes = (file: string): number => statSync(file).size / 1000;

/** @throws Error if the request fails, because failures take a shorter path */
export function coldStart(file: string, event: APIGatewayProxyEvent): Run {
  const args = [resolve(import.meta.dirname, 'cold-child.mjs'), file, JSON.stringify(event)];
  const secretsKey = { [secretsKeyVariable]: localSecretsKey() };
  // A link is computed without a request.
  const bucket = { [filesVariable]: 'bucket' };
  const env = { ...process.env, ...tableVariables(tablePrefix), ...secretsKey, ...bucket };
  const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  // The lines before the last one are the function's log.
  const { statusCode, ...run } = JSON.parse(output.split('\n').at(-1) ?? '') as Run & { statusCode: number };
  if (statusCode >= 300) throw new Error(`${file} answered ${statusCode}`);
  return run;
}

/** @returns the one request that the naive bundle implements */
export async function projectRequest(bench: Bench) {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'cold' } });
  const path = `/projects/${data.id}`;
  // DynamoDB Local is not part of the measurement, and several times slower until it is warm.
  for (let index = 0; index < 1000; index += 1) await bench.send('GET', path);
  return requestEvent(bench.routes, 'GET', path, { key: bench.key });
}
