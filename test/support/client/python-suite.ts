/** Runs the scenarios of the Python client, in the same lanes and behind the same proxy as those of the TypeScript client. */

import { execFileSync, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, type Interpreter } from './pythons.ts';
import { inLanes, lanes, openService, outputOf } from './suite.ts';

export type Kind = 'sync' | 'async';

const folder = join(import.meta.dirname, 'python');
const program = join(folder, 'run.py');

export type Titles = {
  /** Of the scenarios that it has. */
  titles: string[];
  /** Those of the TypeScript client that it does not have, with the reason. */
  absent: Record<string, string>;
  /** Those that only the asynchronous client has, with the reason. */
  absentInSync: Record<string, string>;
};

export const titlesIn = (interpreter: Interpreter): Titles =>
  JSON.parse(
    execFileSync(interpreter.command, [program], {
      env: environmentOf(interpreter, false),
      encoding: 'utf8',
    }),
  ) as Titles;

/** @returns what each scenario failed with, by title; null if it passed */
export function runInPython(
  interpreter: Interpreter,
  kind: Kind,
  only?: string,
): Promise<Map<string, string | null>> {
  const env = environmentOf(interpreter, kind === 'async');
  return inLanes(async (lane) => {
    const { origin, apiKey, close } = await openService({});
    const settings = { origin, apiKey, lane, lanes, kind, only };
    const child = spawn(interpreter.command, ['-X', 'dev', program], {
      cwd: tmpdir(),
      env: { ...env, HOME: tmpdir(), SUITE: JSON.stringify(settings) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return outputOf(child).finally(close);
  });
}
