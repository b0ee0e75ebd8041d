/** Files of bench/ that run in a process of their own, so that their memory and their first work can be told apart. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { tableVariables } from '../lib/dynamodb/tables.ts';
import { secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import { localSecretsKey } from '../scripts/local/machine-key.ts';
import { tablePrefix } from './service.ts';

/** @returns what a file of bench/ prints last, as JSON. The lines before are its log */
export async function runFile<Result>(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, file), ...args], {
    env: { ...process.env, ...tableVariables(tablePrefix), [secretsKeyVariable]: localSecretsKey(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`${file} exited with ${code}`);
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Result;
}
