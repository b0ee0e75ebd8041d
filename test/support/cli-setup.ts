/** Builds the command line once for the whole run. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root } from '../../scripts/shared/root.ts';
import { chosenFiles } from './needs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the bundle of the command line is. */
    cliFolder: string;
  }
}

export default function setup(project: TestProject): (() => void) | undefined {
  // A run of chosen files builds it only if one of them may run it.
  const chosen = chosenFiles();
  if (chosen.length > 0 && !chosen.some((file) => file.includes('test/cli/'))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'platform-cli-'));
  execFileSync(process.execPath, [resolve(root, 'cli/build.mjs'), folder]);
  project.provide('cliFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
