/** The Python client behind a proxy: it uses HTTPS_PROXY and NO_PROXY, and says what is wrong with them. */

import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { type BehindProxy, openBehindProxy } from '../../support/behind-proxy.ts';
import { environmentOf, interpreters } from '../../support/client/pythons.ts';

const blocking = `
from platform_api import Platform
try:
    with Platform(max_retries=0) as platform:
        print([platform.projects.get("proj_1").id for _ in range(2)])
except Exception as error:
    print(type(error).__name__, error)
`;
const waiting = `
import asyncio
from platform_api import AsyncPlatform
async def main():
    try:
        async with AsyncPlatform(max_retries=0) as platform:
            print([(await platform.projects.get("proj_1")).id for _ in range(2)])
    except Exception as error:
        print(type(error).__name__, error)
asyncio.run(main())
`;

const [interpreter] = interpreters();
const twice = "['proj_1', 'proj_1']";

let network: BehindProxy;
beforeAll(async () => {
  network = await openBehindProxy();
});
afterAll(() => network?.close());

describe.each([
  { name: 'Platform', program: blocking, withHttpx: false, tags: [] },
  { name: 'AsyncPlatform', program: waiting, withHttpx: true, tags: ['long' as const] },
])('$name', ({ program, withHttpx, tags }) => {
  async function call(origin: string, env: Readonly<Record<string, string>>): Promise<string> {
    if (!interpreter) throw new Error('Python is missing');
    const { stdout, stderr } = await network.run(interpreter.command, ['-W', 'error', '-c', program], {
      ...environmentOf(interpreter, withHttpx),
      PLATFORM_BASE_URL: `${origin}/api/v1`,
      ...env,
    });
    return stdout.trim() || stderr;
  }
  const needPython = ({ skip }: TestContext) => void (interpreter ?? skip('Python is missing'));

  test('requests with TLS go through the proxy', { tags }, async (context) => {
    needPython(context);
    const target = network.hiddenOrigin.replace('https://', '');
    const credentials = Buffer.from('ada:s/cret').toString('base64');
    for (const env of [
      { HTTPS_PROXY: `http://ada:s%2Fcret@${network.proxy}` },
      { https_proxy: `http://ada:s%2Fcret@${network.proxy}` },
    ]) {
      expect(await call(network.hiddenOrigin, env)).toBe(twice);
      // The connection is kept.
      expect([network.tunnels, network.received.length]).toEqual([[`${target} Basic ${credentials}`], 2]);
    }
    expect(await call(network.hiddenOrigin, { HTTPS_PROXY: network.proxy })).toBe(twice);
    expect(network.tunnels).toEqual([target]);
  });

  test('NO_PROXY is honoured, and requests without TLS need no proxy', { tags }, async (context) => {
    needPython(context);
    const proxy = `http://${network.proxy}`;
    for (const name of ['NO_PROXY', 'no_proxy']) {
      expect(await call(network.origin, { HTTPS_PROXY: proxy, [name]: 'acme.example,localhost' })).toBe(
        twice,
      );
      expect(network.tunnels).toEqual([]);
    }
    expect(await call(network.plainOrigin, { HTTPS_PROXY: proxy, HTTP_PROXY: proxy })).toBe(twice);
    expect([network.tunnels, network.readable]).toEqual([[], []]);
  });

  test('what is no proxy of HTTP is refused, before anything is sent', { tags }, async (context) => {
    needPython(context);
    for (const address of [`socks5://ada:secret@${network.proxy}`, 'http://', 'http://ada:secret@proxy:port'])
      expect(await call(network.origin, { HTTPS_PROXY: address })).toBe(
        'ValueError HTTPS_PROXY must be an address such as http://proxy.example.com:3128.',
      );
    expect([network.tunnels, network.received]).toEqual([[], []]);
  });

  test('a proxy that does not respond is a lost connection, without its password', {
    tags,
  }, async (context) => {
    needPython(context);
    const shown = await call(network.hiddenOrigin, { HTTPS_PROXY: 'http://ada:secret@127.0.0.1:9' });
    expect(shown).toContain('PlatformConnectionError');
    expect(shown).not.toContain('secret');
  });
});
