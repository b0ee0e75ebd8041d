/** Builds the functions' bundles once for the whole run, while the fast tests run. Files that read them wait for them. */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/bundle/bundle.ts';
import { localMachine } from '../../scripts/shared/machines.ts';
import { chosenFiles, readsBundles } from './needs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file that appears when the bundles are built, with the error if they could not be. */
    bundled: string;
  }
}

export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  const file = join(folder, 'error');
  project.provide('bundled', file);
  // A run of chosen files builds only if one of them reads the bundles.
  const chosen = chosenFiles();
  const building = (async () => {
    if (chosen.length > 0 && !chosen.some(readsBundles)) return '';
    return bundle(localMachine).then(
      () => '',
      (error) => `${error.stack}`,
    );
  })().then((error) => {
    writeFileSync(`${file}.part`, error);
    renameSync(`${file}.part`, file);
  });
  return async () => {
    await building;
    rmSync(folder, { recursive: true });
  };
}
