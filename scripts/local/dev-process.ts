/** `npm run dev` as a child process, with a folder of its own for its files. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../shared/root.ts';
import type { DevFile } from './dev-file.ts';
import { freePort } from './port.ts';

export type DevProcess = DevFile & {
  pid: number;
  folder: string;
  /** Sends a POST with the root key. @returns the data of the response @throws Error if it is not a success */
  post: (path: string, body: object) => Promise<{ id: string }>;
  stop: () => Promise<void>;
};

type Options = {
  /** Gets what the server prints after it is ready. */
  onLog?: (text: string) => void;
  /** A running DynamoDB Local, and the access key of a database in it. Default: one of its own. */
  database?: { endpoint: string; accessKeyId: string };
  /** Further variables. */
  env?: Readonly<Record<string, string>>;
};

/** What `npm run dev` gives to Node. The last argument is the script. */
const args = manifest.scripts.dev.split(' ').slice(2);

/** @throws Error with the output of the process, if it ends before it is ready */
export async function startDevProcess({
  onLog = () => {},
  database,
  env = {},
}: Options = {}): Promise<DevProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-api-dev-'));
  const child = spawn(process.execPath, [...args.slice(0, -1), resolve(root, args.at(-1) ?? '')], {
    cwd: folder,
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: database?.endpoint ?? '',
      AWS_ACCESS_KEY_ID: database?.accessKeyId,
      PORT: String(await freePort()),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  await new Promise<void>((done, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes('Stop with Ctrl+C')) return;
      // The rest of the output is read in any case: a full pipe would stop the server.
      for (const stream of [child.stdout, child.stderr])
        stream.off('data', read).on('data', (chunk: Buffer) => onLog(String(chunk)));
      done();
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', read);
    child.once('exit', () => reject(new Error(`the server has ended: ${output}`)));
  });
  const file = JSON.parse(readFileSync(join(folder, '.local/dev.json'), 'utf8')) as DevFile;
  return {
    ...file,
    pid: child.pid ?? 0,
    folder,
    post: (path, body) => post(file, path, body),
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function post({ baseUrl, apiKey }: DevFile, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { id: string } };
  return data;
}
