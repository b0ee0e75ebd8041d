/** Compares OpenAPI documents with oasdiff (https://www.oasdiff.com), which Go installs. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../shared/root.ts';
import type { BreakingChange } from './changelog.ts';

const version = 'v1.31.0';
const folder = resolve(root, `.local/tools/oasdiff-${version}`);
const command = resolve(folder, 'oasdiff');

/** @returns why it cannot run here; undefined if it can */
export function installOasdiff(): string | undefined {
  if (existsSync(command)) return undefined;
  const go = ['go', '/usr/local/go/bin/go'].find((path) => spawnSync(path, ['version']).status === 0);
  if (!go) return 'Go is not installed';
  const { status, stderr } = spawnSync(go, ['install', `github.com/oasdiff/oasdiff@${version}`], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `Go cannot install oasdiff: ${stderr.trim().split('\n').at(-1)}`;
}

/** @returns the changes from one file to the other that may break a client */
export function breakingChanges(before: string, after: string): BreakingChange[] {
  const options = ['breaking', before, after, '--format', 'json'];
  const { status, stdout, stderr } = spawnSync(command, options, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as BreakingChange[];
}
