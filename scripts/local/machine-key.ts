/** The key of this machine, with which development encrypts secrets. On AWS, KMS has it. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { machineKey } from '../../lib/runtime/secret-box.ts';

const file = resolve('.local/machine-key');

/** @returns the value of `SECRETS_KEY`. The first call writes a file that only its owner can read */
export function localSecretsKey(): string {
  mkdirSync(resolve(file, '..'), { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return machineKey(readFileSync(file, 'utf8'));
}
