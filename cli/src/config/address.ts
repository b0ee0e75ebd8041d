/** The addresses that may get a key, and the address of a running `npm run dev`. */

import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { usageError } from '../errors.ts';
import type { Shell } from '../shell.ts';

/**
 * @returns the address without a slash at its end
 * @throws CliError unless it is https, or this machine
 */
export function safeBaseUrl(text: string): string {
  if (!URL.canParse(text))
    throw usageError(`This is not an address: ${text}`, 'Example: https://api.example.com/api/v1');
  const { protocol, hostname, username, password, search, hash, href } = new URL(text);
  if (username || password || search || hash)
    throw usageError('The base URL must not have a user, a password, a query or a fragment.');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw usageError(
      `The key is not sent to ${text}, because others could read it on the way.`,
      'Use an address with https://. Only this machine (localhost, 127.0.0.1) may have http://.',
    );
  return href.replace(/\/+$/, '');
}

/** Names that end in .localhost are not included: not every system resolves them to itself. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);

/** A running `npm run dev`. */
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
