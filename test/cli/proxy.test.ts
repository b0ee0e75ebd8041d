/** The command line behind a proxy: which way its requests go, in each version of Node, and what it says if it cannot. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type BehindProxy, hiddenHost, openBehindProxy } from '../support/behind-proxy.ts';
import { node20, proxyNodes } from '../support/client/runtimes.ts';

let network: BehindProxy;
beforeAll(async () => {
  network = await openBehindProxy();
});
afterAll(() => network?.close());

type Env = Readonly<Record<string, string>>;

/** @param node the program. @returns what the command prints, as `--json` */
async function list(node: string, origin: string, env: Env) {
  const words = [join(inject('cliFolder'), 'platform.js'), 'projects', 'list', '--json'];
  const ran = await network.run(node, words, { PLATFORM_BASE_URL: `${origin}/api/v1`, ...env });
  return { code: ran.code, error: ran.stderr === '' ? undefined : JSON.parse(ran.stderr).error };
}

const hostAndPort = (origin: string) => origin.replace('https://', '');

const canUse: { name: string; find: () => string | undefined; tags: ('long' | 'nightly')[] }[] = [
  { name: "the project's Node", find: () => process.execPath, tags: ['long'] },
  ...['22.21.0', '24.5.0'].map((wanted) => ({
    name: `Node ${wanted}`,
    find: () => proxyNodes().find(({ version }) => version === wanted)?.node,
    tags: ['nightly' as const],
  })),
];

describe.each(canUse)('$name', ({ name, find, tags }) => {
  const scenario = (title: string, run: (node: string) => Promise<void>) =>
    test(title, { tags }, async ({ skip }) => {
      const node = find();
      if (node === undefined) return skip(`${name} is missing, and cannot be installed`);
      await run(node);
    });

  scenario('requests with TLS go through the proxy, and nobody sets anything else', async (node) => {
    for (const variable of ['HTTPS_PROXY', 'https_proxy']) {
      const env = { [variable]: `http://ada:secret@${network.proxy}` };
      expect(await list(node, network.hiddenOrigin, env)).toEqual({ code: 0, error: undefined });
      const credentials = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
      expect(network.tunnels).toEqual([`${hostAndPort(network.hiddenOrigin)} ${credentials}`]);
      expect(network.received).toEqual(['GET /api/v1/projects?limit=100']);
    }
  });

  scenario('an address without http:// is that of a proxy, too', async (node) => {
    expect(await list(node, network.hiddenOrigin, { HTTPS_PROXY: network.proxy })).toMatchObject({ code: 0 });
    expect(network.tunnels).toEqual([hostAndPort(network.hiddenOrigin)]);
  });

  scenario('NO_PROXY is honoured', async (node) => {
    for (const variable of ['NO_PROXY', 'no_proxy']) {
      const env = { HTTPS_PROXY: `http://${network.proxy}`, [variable]: 'acme.example,localhost' };
      expect(await list(node, network.origin, env)).toMatchObject({ code: 0 });
      expect([network.tunnels, network.received.length]).toEqual([[], 1]);
    }
  });

  scenario('requests without TLS go to this machine, and no proxy reads their key', async (node) => {
    const proxy = `http://${network.proxy}`;
    const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, http_proxy: proxy };
    expect(await list(node, network.plainOrigin, env)).toMatchObject({ code: 0 });
    expect([network.tunnels, network.readable, network.received.length]).toEqual([[], [], 1]);
  });

  scenario('a proxy that does not respond is named, without its password', async (node) => {
    const { code, error } = await list(node, network.hiddenOrigin, {
      HTTPS_PROXY: 'http://ada:secret@127.0.0.1:9',
    });
    expect([code, error.next]).toEqual([
      6,
      'Requests go through the proxy in HTTPS_PROXY (http://127.0.0.1:9), except to the hosts in NO_PROXY. Check both variables.',
    ]);
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  scenario('what is no proxy of HTTP is refused, before anything is sent', async (node) => {
    const env = { HTTPS_PROXY: `socks5://ada:secret@${network.proxy}` };
    const { code, error } = await list(node, network.origin, env);
    expect([code, error.next]).toEqual([
      2,
      'HTTPS_PROXY must be an address such as http://proxy.example.com:3128.',
    ]);
    expect(network.received).toEqual([]);
    // The dev server needs no proxy.
    expect(await list(node, network.plainOrigin, env)).toMatchObject({ code: 0 });
  });

  scenario('a certificate of an unknown authority names NODE_EXTRA_CA_CERTS, not the proxy', async (node) => {
    const env = { HTTPS_PROXY: `http://${network.proxy}`, NODE_EXTRA_CA_CERTS: '' };
    const { code, error } = await list(node, network.hiddenOrigin, env);
    expect([code, error.next]).toEqual([6, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
  });
});

describe.each([
  ['Node 20', node20],
  ['Node 22.20.0', () => proxyNodes().find(({ version }) => version === '22.20.0')?.node],
])('%s, which cannot use a proxy', (name, find) => {
  test('names the version that can, and sends nothing', { tags: ['nightly'] }, async ({ skip }) => {
    const node = find();
    if (node === undefined) return skip(`${name} is missing, and cannot be installed`);
    const env = { HTTPS_PROXY: `http://${network.proxy}` };
    const { code, error } = await list(node, network.origin, env);
    expect([code, error.next, error.message]).toEqual([
      2,
      undefined,
      'HTTPS_PROXY is set, but this process does not use it. Start it with NODE_USE_ENV_PROXY=1 (Node 22.21, 24.5 or later), or ' +
        'add localhost to NO_PROXY.',
    ]);
    expect([network.tunnels, network.received]).toEqual([[], []]);
    // What needs no proxy works.
    const exempt = { ...env, NO_PROXY: `localhost,${hiddenHost}` };
    expect(await list(node, network.origin, exempt)).toMatchObject({ code: 0 });
    expect(await list(node, network.plainOrigin, env)).toMatchObject({ code: 0 });
  });
});
