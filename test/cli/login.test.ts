/** Which key the command line uses, and where it is sent and kept. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli();

/** An empty config folder. */
const emptyConfig = (name: string) => ({ XDG_CONFIG_HOME: join(cli.home, name) });

async function loggedIn(name: string, ...more: string[]) {
  const env = emptyConfig(name);
  const ran = await cli.run(['login', '--base-url', cli.service.baseUrl, ...more], {
    env,
    input: `${cli.service.apiKey}\n`,
  });
  expect(ran).toMatchObject({ code: 0 });
  return { env, ran, file: join(env.XDG_CONFIG_HOME, 'platform/profiles.json') };
}

test('login reads the key from stdin, checks it, and keeps it in a file that only the owner can read', async () => {
  const { env, ran, file } = await loggedIn('plain');
  expect(ran.stdout).toMatch(/^mode +live$/m);
  expect(ran.stdout + ran.stderr).not.toContain(cli.service.apiKey);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(file, '..'))).toEqual(['profiles.json']);
  expect(jsonLines(await cli.run(['whoami', '--json'], { env }))).toMatchObject([
    {
      profile: 'default',
      source: 'profile',
      baseUrl: cli.service.baseUrl,
      kind: 'API key',
      name: 'root',
      projectIds: 'all',
    },
  ]);
  expect((await cli.run(['profiles', 'list'], { env })).stdout).not.toContain(cli.service.apiKey);
  chmodSync(file, 0o644);
  expect((await cli.run(['whoami'], { env })).stderr).toContain('Others can read your keys');
});

test('whoami tells the old secret of a rotated key; `keys rotate me` says how to store the new one', async () => {
  const env = emptyConfig('rotated');
  const create = ['keys', 'create', '--name', 'ci', '--scope', 'api-keys:write', '--json'];
  const [key] = jsonLines(await cli.run(create, { env: cli.project.env }));
  const login = ['login', '--profile', 'ci', '--base-url', cli.service.baseUrl];
  await cli.run(login, { env, input: String(key?.secret) });
  const before = await cli.run(['whoami', '--json'], { env });
  expect(jsonLines(before)).toMatchObject([
    { hint: key?.hint, organisationId: expect.stringMatching(/^org_/), organisationName: expect.any(String) },
  ]);
  const rotated = await cli.run(['keys', 'rotate', 'me', '--overlap', '2h', '--json'], { env });
  expect(rotated.stderr).toContain(
    'The profile ci still has the old secret. To store the new one: platform login --profile ci',
  );
  const [{ secret, previousSecretExpiresAt: end } = {}] = jsonLines(rotated);
  const [old] = jsonLines(await cli.run(['whoami', '--json'], { env }));
  expect(old).toMatchObject({ expiresAt: end, secret: `old secret of a rotated key, ends ${end}` });
  expect(old).not.toHaveProperty('hint');
  await cli.run(['login', '--profile', 'ci'], { env, input: String(secret) });
  const [fresh] = jsonLines(await cli.run(['whoami', '--json'], { env }));
  expect(fresh).toMatchObject({ hint: `${String(key?.hint).slice(0, -4)}${String(secret).slice(-4)}` });
  expect(fresh).not.toHaveProperty('secret');
});

test('login stores nothing if the key is not valid, and says what to do', async () => {
  const env = emptyConfig('invalid');
  const ran = await cli.run(['login', '--base-url', cli.service.baseUrl], {
    env,
    input: `${cli.service.apiKey.slice(0, -1)}_`,
  });
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  expect(ran.stderr).toMatch(/unauthorized, request [\w-]+\)\nNext: /);
  expect(readdirSync(cli.home)).not.toContain('invalid');
});

test('there is no option for a key', async () => {
  const { code, stderr } = await cli.run(['login', '--api-key', cli.service.apiKey], {
    env: emptyConfig('argv'),
  });
  expect(code).toBe(2);
  expect(stderr).toContain('--api-key');
});

test('profiles: --profile chooses one, `profiles use` the current one, logout removes one', async () => {
  const { env, file } = await loggedIn('several');
  const login = ['login', '--profile', 'test', '--base-url', cli.service.baseUrl];
  await cli.run(login, { env, input: cli.service.testApiKey });
  const mode = async (...args: string[]) =>
    jsonLines(await cli.run(['whoami', '--json', ...args], { env }))[0]?.mode;
  expect([await mode(), await mode('--profile', 'test')]).toEqual(['live', 'test']);
  await cli.run(['profiles', 'use', 'test'], { env });
  expect(await mode()).toBe('test');
  const { code, stderr } = await cli.run(['whoami', '--profile', 'missing'], { env });
  expect(code).toBe(2);
  expect(stderr).toContain('There are: default, test.');
  await cli.run(['logout', '--profile', 'test'], { env });
  expect(readFileSync(file, 'utf8')).not.toContain(cli.service.testApiKey);
  expect((await cli.run(['whoami'], { env })).code).toBe(3);
});

test('the variables replace the current profile, but only together', async () => {
  const { env } = await loggedIn('variables');
  const both = { PLATFORM_API_KEY: cli.service.testApiKey, PLATFORM_BASE_URL: cli.service.baseUrl };
  const shown = await cli.run(['whoami', '--json'], { env: { ...env, ...both } });
  expect(jsonLines(shown)).toMatchObject([{ source: 'environment', mode: 'test' }]);
  for (const name of ['PLATFORM_API_KEY', 'PLATFORM_BASE_URL'] as const) {
    const { code, stderr } = await cli.run(['whoami'], { env: { ...env, [name]: both[name] } });
    expect(code).toBe(2);
    expect(stderr).toContain(`${name} is set, but`);
  }
});

test('a key is never sent to another machine without TLS', async () => {
  for (const url of [
    'http://api.example.com/api/v1',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
  ]) {
    const env = { ...emptyConfig('tls'), PLATFORM_API_KEY: cli.service.apiKey, PLATFORM_BASE_URL: url };
    const ran = await cli.run(['whoami'], { env });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('The key is not sent to');
    expect((await cli.run(['login', '--base-url', url], { env, input: cli.service.apiKey })).code).toBe(2);
  }
});

test('a dev server is found in the folders above, and the command says so', async () => {
  const folder = join(cli.home, 'clone');
  const cwd = join(folder, 'a/b');
  for (const one of [cwd, join(folder, '.local')]) mkdirSync(one, { recursive: true });
  writeFileSync(join(folder, '.local/dev.json'), JSON.stringify(cli.service));
  const found = await cli.run(['projects', 'list', '--json'], { cwd, env: emptyConfig('none') });
  expect(found).toMatchObject({ code: 0 });
  expect(found.stderr).toContain(`Using the dev server at ${cli.service.baseUrl}`);
  const { env } = await loggedIn('rather-profile');
  expect((await cli.run(['whoami', '--json'], { cwd, env })).stderr).toBe('');
  const nothing = await cli.run(['projects', 'list'], { env: emptyConfig('none') });
  expect(nothing).toMatchObject({ code: 3 });
  expect(nothing.stderr).toContain('platform login');
});

test('a dev file with an address elsewhere is ignored', async () => {
  const cwd = join(cli.home, 'trap');
  mkdirSync(join(cwd, '.local'), { recursive: true });
  writeFileSync(
    join(cwd, '.local/dev.json'),
    JSON.stringify({ baseUrl: 'https://evil.example.com', apiKey: 'sk_live_x' }),
  );
  expect((await cli.run(['projects', 'list'], { cwd, env: emptyConfig('none') })).code).toBe(3);
});

test('a key that a server repeats in an error is not shown', async () => {
  const echo = createServer((request, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' });
    const error = {
      code: 'validation_error',
      message: `got ${request.headers.authorization}`,
      requestId: 'r',
    };
    response.end(JSON.stringify({ success: false, error }));
  });
  await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
  const { port } = echo.address() as AddressInfo;
  const env = { PLATFORM_API_KEY: cli.service.apiKey, PLATFORM_BASE_URL: `http://127.0.0.1:${port}` };
  const ran = await cli.run(['projects', 'list', '--verbose'], { env });
  echo.close();
  expect(ran).toMatchObject({ code: 2 });
  expect(ran.stderr).toContain('got Bearer …');
  expect(ran.stdout + ran.stderr).not.toContain(cli.service.apiKey);
});

test('an access token is checked by the API', async () => {
  const claims = Buffer.from(JSON.stringify({ sub: 'ci', scope: 'projects:read', exp: 2e9 })).toString(
    'base64url',
  );
  const env = { PLATFORM_API_KEY: `e30.${claims}.c2ln`, PLATFORM_BASE_URL: cli.service.baseUrl };
  // The signature is wrong: the API decides, not the command line.
  expect((await cli.run(['whoami'], { env })).code).toBe(3);
});
