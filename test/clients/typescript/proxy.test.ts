/** The client behind a proxy, in its own process: Node needs a setting, and without it nothing goes around the proxy. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Platform, ProxyError } from '../../../clients/typescript/src/index.ts';
import { root } from '../../../scripts/shared/root.ts';
import { type BehindProxy, hiddenHost, openBehindProxy } from '../../support/behind-proxy.ts';
import { bun, deno, node20, proxyNodes } from '../../support/client/runtimes.ts';

const refusal = (host: string) =>
  'HTTPS_PROXY is set, but this process does not use it. Start it with NODE_USE_ENV_PROXY=1 (Node 22.21, 24.5 or later), or ' +
  `add ${host} to NO_PROXY.`;

describe('in this process, which does not use the proxy', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const variables = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

  /** @returns whether a request is sent */
  async function isSent(env: Record<string, string>, baseUrl = 'https://api.acme.example/v1') {
    for (const name of variables) vi.stubEnv(name, env[name]);
    const sent = vi
      .spyOn(globalThis, 'fetch')
      .mockResolvedValue(Response.json({ success: true, data: { id: 'a' } }));
    onTestFinished(() => sent.mockRestore());
    const call = new Platform({ baseUrl, apiKey: 'sk_test_x' }).projects.get('a');
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(ProxyError);
    const count = sent.mock.calls.length;
    sent.mockRestore();
    expect(count).toBe(error === undefined ? 1 : 0);
    return error === undefined;
  }

  const proxy = { HTTPS_PROXY: 'http://proxy.acme.example:3128' };

  test.each([
    ['acme.example', true],
    ['.acme.example', true],
    ['*.acme.example', true],
    ['api.acme.example', true],
    ['API.Acme.example', true],
    ['other.example, api.acme.example', true],
    ['other.example api.acme.example', true],
    ['api.acme.example:443', true],
    ['*', true],
    ['api.acme.example:8443', false],
    ['cme.example', false],
    ['pi.acme.example', false],
    ['api.acme.example.evil.example', false],
    ['example.com,,', false],
    ['', false],
    [' , ', false],
    ['.', false],
  ])('NO_PROXY=%s', async (exempt, expected) => {
    expect(await isSent({ ...proxy, NO_PROXY: exempt })).toBe(expected);
    expect(await isSent({ ...proxy, no_proxy: exempt })).toBe(expected);
  });

  test('only a set HTTPS_PROXY counts, and only for requests with TLS', async () => {
    expect(await isSent({})).toBe(true);
    expect(await isSent({ HTTPS_PROXY: '' })).toBe(true);
    expect(await isSent({ https_proxy: 'http://proxy.acme.example:3128' })).toBe(false);
    expect(await isSent(proxy, 'http://127.0.0.1:3000/api/v1')).toBe(true);
    expect(await isSent(proxy, 'https://api.acme.example:8443/v1')).toBe(false);
    expect(
      await isSent({ ...proxy, NO_PROXY: 'acme.example:8443' }, 'https://api.acme.example:8443/v1'),
    ).toBe(true);
  });

  test('a fetch of the caller is used as it is', async () => {
    vi.stubEnv('HTTPS_PROXY', proxy.HTTPS_PROXY);
    const fetch = async () => Response.json({ success: true, data: { id: 'a' } });
    const platform = new Platform({ baseUrl: 'https://api.acme.example/v1', apiKey: 'sk_test_x', fetch });
    expect(await platform.projects.get('a')).toEqual({ id: 'a' });
  });

  test('the longest variable takes no time', async () => {
    const begunMs = performance.now();
    for (const part of ['a', '.', ':', ',', ' ', '*.', 'a:1'])
      await isSent({ ...proxy, NO_PROXY: part.repeat(100_000 / part.length) });
    expect(performance.now() - begunMs).toBeLessThan(2000);
  });
});

describe('a process', () => {
  let network: BehindProxy;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'client-proxy-'));
    await build({
      stdin: {
        contents: `
          import { Platform } from './index.ts';
          const platform = new Platform({ maxRetries: 0 });
          platform.projects.get('proj_1').then(
            ({ id }) => console.log(JSON.stringify({ id })),
            ({ name, message }) => console.log(JSON.stringify({ name, message })),
          );`,
        resolveDir: resolve(root, 'clients/typescript/src'),
      },
      bundle: true,
      format: 'esm',
      outfile: join(folder, 'program.mjs'),
    });
    network = await openBehindProxy();
  });
  afterAll(() => {
    network?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(program: string, origin: string, env: Record<string, string>, args: string[] = []) {
    const { stdout, stderr } = await network.run(program, [...args, join(folder, 'program.mjs')], {
      PLATFORM_BASE_URL: `${origin}/api/v1`,
      DENO_CERT: network.authority,
      ...env,
    });
    return stdout === '' ? { stderr } : JSON.parse(stdout);
  }

  const scenario = async (node: string) => {
    const env = { HTTPS_PROXY: `http://${network.proxy}` };
    const refused = { name: 'ProxyError', message: refusal(hiddenHost) };
    expect(await call(node, network.hiddenOrigin, env)).toEqual(refused);
    expect(network.tunnels).toEqual([]);
    const enabled = { ...env, NODE_USE_ENV_PROXY: '1' };
    expect(await call(node, network.hiddenOrigin, enabled)).toEqual({ id: 'proj_1' });
    expect(network.tunnels).toEqual([network.hiddenOrigin.replace('https://', '')]);
    expect(await call(node, network.origin, { ...env, NO_PROXY: 'localhost' })).toEqual({ id: 'proj_1' });
    expect([network.tunnels, network.received.length]).toEqual([[], 1]);
  };
  test(
    'of Node uses the proxy with NODE_USE_ENV_PROXY=1, and otherwise sends nothing',
    {
      tags: ['long'],
    },
    () => scenario(process.execPath),
  );
  test.for(['22.21.0', '24.5.0'])(
    'of Node %s does the same',
    { tags: ['nightly'] },
    async (wanted, { skip }) => {
      const node = proxyNodes().find(({ version }) => version === wanted)?.node;
      if (node === undefined) return skip(`Node ${wanted} is missing, and cannot be installed`);
      await scenario(node);
    },
  );

  test('of Node 20 names the version that it needs', { tags: ['nightly'] }, async ({ skip }) => {
    const node = node20();
    if (node === undefined) return skip('Node 20 is missing, and cannot be installed');
    const env = { HTTPS_PROXY: `http://${network.proxy}`, NODE_USE_ENV_PROXY: '1' };
    expect(await call(node, network.origin, env)).toEqual({
      name: 'ProxyError',
      message: refusal('localhost'),
    });
    expect([network.tunnels, network.received]).toEqual([[], []]);
  });

  test.for([
    { name: 'Bun', find: bun, args: [] },
    { name: 'Deno', find: deno, args: ['run', '--allow-all'] },
  ])(
    'of $name uses the proxy, as it always does',
    { tags: ['nightly'] },
    async ({ name, find, args }, { skip }) => {
      const program = find();
      if (program === undefined) return skip(`${name} is missing, and cannot be installed`);
      const env = { HTTPS_PROXY: `http://${network.proxy}` };
      expect(await call(program, network.hiddenOrigin, env, args)).toEqual({ id: 'proj_1' });
      expect(network.tunnels).toEqual([network.hiddenOrigin.replace('https://', '')]);
    },
  );
});
