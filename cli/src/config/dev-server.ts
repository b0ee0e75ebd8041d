/** Finds a running `npm run dev`. */

import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Shell } from '../shell.ts';
import { isLoopback } from './address.ts';

export type DevServer = { file: string; baseUrl: string; apiKey: string };

/**
 * Finds `.local/dev.json` in the current folder or above it. A file of another user, or with an address that is not this machine,
 * is ignored: it could be a trap in a shared folder.
 */
export async function findDevServer({ cwd }: Pick<Shell, 'cwd'>): Promise<DevServer | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, '.local', 'dev.json');
    const server = await read(file);
    if (server) return server;
    if (dirname(folder) === folder) return undefined;
  }
}

async function read(file: string): Promise<DevServer | undefined> {
  try {
    const owner = (await stat(file)).uid;
    if (process.getuid && owner !== process.getuid()) return undefined;
    const { baseUrl, apiKey } = JSON.parse(await readFile(file, 'utf8')) as Partial<DevServer>;
    if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') return undefined;
    return isLoopback(new URL(baseUrl).hostname) ? { file, baseUrl, apiKey } : undefined;
  } catch {
    return undefined;
  }
}
