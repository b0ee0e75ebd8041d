/** `npm run dev`, with a folder of its own for its files. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseApiKey } from '../../lib/credentials/api-key.ts';
import { asSent, opened } from '../../scripts/local/call.ts';
import { freePort } from '../../scripts/local/free-port.ts';
import { root } from '../../scripts/shared/root.ts';
import type { CallOptions, ContractApi } from './api.ts';
import { remoteApi } from './remote-api.ts';

export type DevServer = { baseUrl: string; apiKey: string; api: ContractApi; stop: () => Promise<void> };

export async function startDevServer(): Promise<DevServer> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-api-dev-'));
  const child = spawn(process.execPath, [resolve(root, 'scripts/dev.ts')], {
    cwd: folder,
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '', PORT: String(await freePort()) },
  });
  await isReady(child);
  const file = readFileSync(join(folder, '.local/dev.json'), 'utf8');
  const { baseUrl, apiKey, testApiKey } = JSON.parse(file) as Record<string, string>;
  return {
    baseUrl: baseUrl ?? '',
    apiKey: apiKey ?? '',
    api: apiAt(baseUrl ?? '', apiKey ?? '', testApiKey ?? ''),
    async stop() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isReady(child: ChildProcess): Promise<void> {
  return new Promise((done, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Stop with Ctrl+C')) done();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`the server has ended: ${output}`)));
  });
}

function apiAt(baseUrl: string, apiKey: string, testApiKey: string): ContractApi {
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const { headers, text } = asSent({ key: apiKey, ...options });
    const response = await fetch(baseUrl + path, { method, headers, ...(text !== '' && { body: text }) });
    const received = Object.fromEntries(response.headers);
    const body = await response.text();
    return { status: response.status, headers: received, text: body, ...opened(body, received) };
  };
  return remoteApi({
    call,
    rootKey: apiKey,
    organisationId: parseApiKey(apiKey)?.organisationId ?? '',
    testModeKey: async () => testApiKey,
    another: () => Promise.reject(new Error('there is one organisation')),
  });
}
