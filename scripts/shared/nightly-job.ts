/** The nightly jobs that docs/jobs.md shows. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './root.ts';

/**
 * @param name such as `nightly.py`
 * @returns the file that a block of docs/jobs.md writes
 * @throws Error if docs/jobs.md does not write it
 */
export function nightlyJob(name: string): string {
  const text = readFileSync(resolve(root, 'docs/jobs.md'), 'utf8');
  const [, after] = text.split(`\ncat > nightly/${name} <<'SCRIPT'\n`);
  const found = after?.split(/^SCRIPT$/m)[0];
  if (!found) throw new Error(`docs/jobs.md does not write nightly/${name}`);
  return found;
}
