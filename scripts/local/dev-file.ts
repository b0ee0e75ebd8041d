/** `.local/dev.json`: the address and keys of the running service. */

import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type DevFile = { baseUrl: string; apiKey: string; testApiKey: string; dynamodbEndpoint: string };

const file = resolve('.local/dev.json');

export const writeDevFile = (content: DevFile): void =>
  writePrivately(file, JSON.stringify(content, null, 2));

/** Writes a file that only its owner can read. */
export function writePrivately(path: string, text: string): void {
  mkdirSync(resolve(path, '..'), { recursive: true });
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  // The mode above applies to new files only.
  chmodSync(path, 0o600);
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
