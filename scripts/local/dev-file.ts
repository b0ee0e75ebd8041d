/** `.local/dev.json`: the address and keys of the running service. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CiVariables } from './ci-tokens.ts';

export type DevFile = {
  baseUrl: string;
  apiKey: string;
  testApiKey: string;
  dynamodbEndpoint: string;
  /** The address of the OIDC issuer, which can be the `issuer` of a workload identity. */
  issuer: string;
} & CiVariables;

const file = resolve('.local/dev.json');

export const writeDevFile = (content: DevFile): void =>
  writePrivately(file, JSON.stringify(content, null, 2));

/** Writes a file that only its owner can read. A process that reads the file at the same time sees the whole old or the whole new text. */
export function writePrivately(path: string, text: string): void {
  mkdirSync(resolve(path, '..'), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, `${text}\n`, { mode: 0o600 });
  renameSync(written, path);
}

export function readDevFile(): DevFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DevFile;
  } catch {
    return undefined;
  }
}

/**
 * The file belongs to the newest server. When the newest server stops, the file belongs to the previous server again, if it
 * still runs.
 */
export async function leaveDevFile(baseUrl: string, previous: DevFile | undefined): Promise<void> {
  if (readDevFile()?.baseUrl !== baseUrl) return;
  rmSync(file, { force: true });
  if (!previous || previous.baseUrl === baseUrl) return;
  const answers = await fetch(`${previous.baseUrl}/health`, { signal: AbortSignal.timeout(500) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (answers) writeDevFile(previous);
}
