/** A copy of the repository, which a test may change. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../../scripts/shared/root.ts';

export type CopiedRepository = {
  folder: string;
  /** Runs a program of node_modules/.bin in it. */
  run(command: string, ...args: string[]): SpawnSyncReturns<string>;
  remove(): void;
};

const leftOut = ['.git', '.local', 'node_modules', 'dist', 'cdk.out'].map((name) => resolve(root, name));

/** What Vitest and npm set is not for the programs. */
const kept = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITE|TEST$|DEV$|PROD$|MODE$)/i.test(name)),
);

/** @returns a copy with the same packages, without git */
export function copyRepository(): CopiedRepository {
  const folder = mkdtempSync(join(tmpdir(), 'repository-'));
  cpSync(root, folder, { recursive: true, filter: (source) => !leftOut.includes(source) });
  symlinkSync(resolve(root, 'node_modules'), join(folder, 'node_modules'));
  const tools = resolve(root, 'node_modules/.bin');
  const env = { ...kept, PATH: `${tools}:${process.env.PATH}` };
  return {
    folder,
    run: (command, ...args) =>
      spawnSync(resolve(tools, command), args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 26 }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
