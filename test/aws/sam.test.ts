/** `npm run sam` with Docker: every endpoint in its container, called over HTTP, and its containers when it stops. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { parseApiKey } from '../../lib/credentials/api-key.ts';
import type { ApiResponse, CallOptions, ContractApi } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';
import { asSent, opened } from '../../scripts/local/call.ts';
import { freePort } from '../../scripts/local/port.ts';
import { root } from '../../scripts/shared/root.ts';
import { endGroup } from '../docs/session.ts';
import { remoteApi } from '../support/remote-api.ts';

/** SAM's image, which is not pulled here. */
const image = 'public.ecr.aws/lambda/nodejs:24';

/** @returns why the tests cannot run on this machine */
function missing(): string | undefined {
  const succeeds = (...args: string[]) => {
    try {
      execFileSync('docker', args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  if (!succeeds('info')) return 'no Docker engine answers';
  return succeeds('image', 'inspect', image) ? undefined : `the image ${image} is not there`;
}

const reason = missing();
const title = (what: string) => `npm run sam: ${what}${reason ? ` (skipped: ${reason})` : ''}`;

type Running = { child: ChildProcess; output: () => string; ended: Promise<unknown> };

/** Starts a script of npm in its own process group, like a terminal's. @returns it when its output says that it is ready */
async function start(script: string, port: number, ready: string): Promise<Running> {
  const child = spawn('npm', ['run', script], {
    cwd: root,
    detached: true,
    env: { ...process.env, PORT: String(port), SAM_SKIP_PULL_IMAGE: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  // When its output ends, npm and everything that it started have stopped.
  const ended = new Promise((done) => child.once('close', done));
  while (!output.includes(ready)) {
    if (child.exitCode !== null) throw new Error(output.slice(-3000));
    await sleep(200);
  }
  return { child, output: () => output, ended };
}

function devFile(): { apiKey: string; testApiKey: string } {
  return JSON.parse(readFileSync(resolve(root, '.local/dev.json'), 'utf8'));
}

const containers = () =>
  execFileSync('docker', ['ps', '--all', '--quiet', '--filter', 'label=sam.cli.container.type=lambda'], {
    encoding: 'utf8',
  }).trim();

describe.skipIf(reason)(title('in its container'), () => {
  let dev: Running;
  let sam: Running;
  let port: number;
  let api: ContractApi;

  beforeAll(async () => {
    dev = await start('dev', await freePort(), 'Root key');
    port = await freePort();
    // What SAM itself prints when it listens.
    sam = await start('sam', port, 'Running on http');
    const { apiKey, testApiKey } = devFile();
    const baseUrl = `http://127.0.0.1:${port}/api/v1`;
    const call = async (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> => {
      const { headers, text } = asSent({ key: apiKey, ...options });
      const response = await fetch(baseUrl + path, { method, headers, ...(text !== '' && { body: text }) });
      const body = await response.text();
      const received = Object.fromEntries(response.headers);
      return { status: response.status, headers: received, text: body, ...opened(body, received) };
    };
    api = remoteApi({
      call,
      rootKey: apiKey,
      organisationId: parseApiKey(apiKey)?.organisationId ?? '',
      testModeKey: async () => testApiKey,
      another: () => Promise.reject(new Error('there is one organisation')),
    });
  }, 600_000);
  afterAll(async () => {
    for (const running of [sam, dev]) {
      if (running) endGroup(running.child, 'SIGTERM');
      await running?.ended;
    }
  }, 120_000);

  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s responds as it declares',
    async (id, endpoint) => {
      const { path, body, key } = await sampleOf(id, api);
      const response = await api.call(endpoint.method, path, { ...(body && { body }), ...(key && { key }) });
      const schema = endpoint.responses[response.status as 200];
      expect(schema, response.text).toBeDefined();
      if (endpoint.raw && endpoint.raw !== 'json') return;
      const data = endpoint.raw ? JSON.parse(response.text) : response.data;
      expect(schema?.parse(data)).toEqual(data);
    },
    300_000,
  );

  test('replays a repeated POST', async () => {
    const request = { body: { name: 'in a container' }, idempotencyKey: 'once' };
    const first = await api.call('POST', '/projects', request);
    const again = await api.call('POST', '/projects', request);
    expect([first, again].map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual([
      [201, undefined],
      [201, 'true'],
    ]);
    expect(again.data).toEqual(first.data);
  }, 60_000);

  test('one Ctrl+C stops its containers', async () => {
    expect(containers()).not.toBe('');
    endGroup(sam.child, 'SIGINT');
    await sam.ended;
    expect(containers()).toBe('');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  }, 120_000);
});
