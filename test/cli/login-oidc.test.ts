/** `platform login --oidc`: where the tokens of a workload identity come from. A small server stands for the CI and for the API. */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonLines, type RunOptions, useCli } from '../support/cli.ts';

const cli = useCli();

const identity = 'wid_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const organisationId = 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const audience = `urn:platform:${organisationId}:live:${identity}`;
const subject = 'repo:acme/shop:environment:production';
const me = {
  kind: 'workload_identity',
  id: identity,
  subject,
  organisationId,
  organisationName: 'Acme',
  mode: 'live',
  scopes: ['projects:read'],
  projectIds: null,
  expiresAt: '2026-03-01T09:30:00.000Z',
};

let count = 0;
/** @returns a token that differs from all others */
function newToken(aud: unknown = audience): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  count += 1;
  return `${part({ alg: 'RS256' })}.${part({ sub: subject, aud, jti: count })}.c2lnbmF0dXJl`;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
const json =
  (body: unknown, status = 200, headers = {}): Handle =>
  (_, response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const data = (value: unknown) => json({ success: true, data: value });
const failed = (status: number, code: string, message = 'no') =>
  json({ success: false, error: { code, message, requestId: 'r' } }, status, { 'Retry-After': '0' });

/** The credentials that the API got, and the requests for tokens. */
const got = { api: [] as string[], ci: [] as { url: string; authorization: string | undefined }[] };
const planned = { api: [] as Handle[], ci: [] as Handle[] };
const issue: Handle = ({ url = '' }, response) => {
  const wanted = new URL(url, 'http://a').searchParams.get('audience');
  json({ count: 1, value: newToken(wanted) })({} as IncomingMessage, response);
};

const server = createServer((request, response) => {
  const { url = '', headers } = request;
  if (url.startsWith('/ci/')) {
    got.ci.push({ url, authorization: headers.authorization });
    return (planned.ci.shift() ?? issue)(request, response);
  }
  got.api.push(headers.authorization?.replace('Bearer ', '') ?? '');
  return (planned.api.shift() ?? data(me))(request, response);
});
let origin: string;
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  baseUrl = `${origin}/api/v1`;
});
afterAll(() => server.close());

let run: number = 0;
let config: string;
beforeEach(() => {
  for (const list of [got.api, got.ci, planned.api, planned.ci]) list.length = 0;
  config = join(cli.home, `oidc-${++run}`);
});

const requestToken = 'request-token-of-the-runner';
const github = () => ({
  GITHUB_ACTIONS: 'true',
  ACTIONS_ID_TOKEN_REQUEST_URL: `${origin}/ci/token?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
});
const platform = (args: string[], env: NodeJS.ProcessEnv = {}, options: RunOptions = {}) =>
  cli.run(args, { ...options, env: { XDG_CONFIG_HOME: config, ...env } });
const login = (env: NodeJS.ProcessEnv, ...more: string[]) =>
  platform(['login', '--oidc', '--base-url', baseUrl, ...more], env);
const profiles = () => readFileSync(join(config, 'platform/profiles.json'), 'utf8');

describe('GitHub Actions', () => {
  test('login stores where tokens come from, and no token; each later request has a token of its own', async () => {
    const ran = await login(github(), '--audience', audience, '--json');
    expect(ran).toMatchObject({ code: 0 });
    expect(jsonLines(ran)).toMatchObject([
      { kind: 'workload identity', id: identity, subject, tokenFrom: 'GitHub Actions', mode: 'live' },
    ]);
    expect(got.ci).toEqual([
      {
        url: `/ci/token?api-version=2.0&audience=${encodeURIComponent(audience)}`,
        authorization: `Bearer ${requestToken}`,
      },
    ]);
    expect(JSON.parse(profiles())).toEqual({
      current: 'default',
      profiles: { default: { baseUrl, oidc: { from: 'github-actions', audience } } },
    });
    const page = (nextCursor: string | null) => data({ items: [{ id: 'proj_1', name: 'a' }], nextCursor });
    planned.api.push(page('more'), failed(503, 'service_unavailable'), page(null));
    const listed = await platform(['projects', 'list', '--all', '--json'], github());
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    // The login, the first page, and two attempts at the second page.
    const [first, second, third, fourth] = got.api;
    expect(new Set([first, second, third]).size).toBe(3);
    expect(fourth).toBe(third);
    const shown = [ran, listed].map(({ stdout, stderr }) => stdout + stderr).join('');
    for (const secret of [requestToken, ...got.api]) expect(shown + profiles()).not.toContain(secret);
  });

  test('whoami and profiles name the source, and logout removes the profile', async () => {
    await login({ ...github(), PLATFORM_AUDIENCE: audience });
    const [shown] = jsonLines(await platform(['whoami', '--json'], github()));
    expect(shown).toMatchObject({
      source: 'profile',
      profile: 'default',
      kind: 'workload identity',
      subject,
      tokenFrom: 'GitHub Actions',
    });
    expect(jsonLines(await platform(['profiles', 'list', '--json']))).toMatchObject([
      { name: 'default', hint: null, tokenFrom: 'GitHub Actions', audience },
    ]);
    expect((await platform(['profiles', 'list'])).stdout).toContain('token from GitHub Actions');
    expect(await platform(['logout'])).toMatchObject({ code: 0 });
    expect(JSON.parse(profiles())).toEqual({ profiles: {} });
  });

  test('an endpoint that fails for a moment is asked again, and refuses with a reason', async () => {
    planned.ci.push(json({}, 500), (_, response) => void response.destroy(), json({}, 429));
    expect(await login(github(), '--audience', audience)).toMatchObject({ code: 0 });
    expect(got.ci).toHaveLength(4);
    planned.ci.push(...Array.from({ length: 4 }, () => json({ message: requestToken }, 503)));
    const down = await login(github(), '--audience', audience);
    expect(down).toMatchObject({ code: 6, stderr: expect.stringContaining('status 503') });
    expect(got.ci).toHaveLength(8);
    const large = 'a'.repeat(100_000);
    for (const handle of [json({}, 403), json({}), json({ value: 5 }), json({ value: large }), json(null)]) {
      planned.ci.push(handle);
      const ran = await login(github(), '--audience', audience);
      expect(ran).toMatchObject({ code: 3, stdout: '' });
      expect(ran.stderr).toContain('GitHub Actions issues no token');
      expect(ran.stderr).not.toContain(requestToken);
    }
    expect(got.ci).toHaveLength(13);
    expect(got.api).toHaveLength(1);
  });

  test('the secret of the runner goes nowhere else: no redirect, and no address without TLS', async () => {
    planned.ci.push(
      (_, response) => void response.writeHead(307, { Location: `${origin}/ci/elsewhere` }).end(),
    );
    expect(await login(github(), '--audience', audience)).toMatchObject({ code: 3 });
    expect(got.ci).toHaveLength(1);
    const plain = { ...github(), ACTIONS_ID_TOKEN_REQUEST_URL: 'http://ci.example.com/token' };
    expect(await login(plain, '--audience', audience)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('https://'),
    });
    expect(got.api).toEqual([]);
  });
});

test('a file is read again for each request', async () => {
  const file = join(cli.home, 'token');
  const tokens = [newToken(), newToken(), newToken()] as const;
  writeFileSync(file, `${tokens[0]}\n`);
  const logged = await platform(
    ['login', '--oidc', '--base-url', baseUrl, '--token-file', 'token'],
    {},
    { cwd: cli.home },
  );
  expect(logged).toMatchObject({ code: 0 });
  expect(JSON.parse(profiles()).profiles.default.oidc).toEqual({ from: 'file', file });
  writeFileSync(file, tokens[1]);
  const page = (nextCursor: string | null) => data({ items: [], nextCursor });
  planned.api.push((request, response) => {
    writeFileSync(file, tokens[2]);
    page('more')(request, response);
  }, page(null));
  expect(await platform(['projects', 'list', '--all'])).toMatchObject({ code: 0 });
  expect(got.api).toEqual(tokens);
  const absent = await platform(['projects', 'list'], {
    PLATFORM_BASE_URL: baseUrl,
    PLATFORM_ID_TOKEN_FILE: '/none',
  });
  expect(absent).toMatchObject({ code: 3, stderr: expect.stringMatching(/cannot be read: ENOENT.*\/none/) });
});

test('GitLab sets PLATFORM_ID_TOKEN', async () => {
  const env = { GITLAB_CI: 'true', PLATFORM_ID_TOKEN: newToken() };
  expect(await login(env)).toMatchObject({ code: 0 });
  expect(await platform(['whoami'], env)).toMatchObject({ code: 0 });
  expect(got.api).toEqual([env.PLATFORM_ID_TOKEN, env.PLATFORM_ID_TOKEN]);
  expect(profiles()).not.toContain(env.PLATFORM_ID_TOKEN);
  expect(await platform(['whoami'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('PLATFORM_ID_TOKEN is not set'),
  });
});

test('Buildkite: the agent issues the token', async () => {
  const bin = join(cli.home, 'bin');
  mkdirSync(bin, { recursive: true });
  const agent = join(bin, 'buildkite-agent');
  const env = {
    BUILDKITE: 'true',
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    PLATFORM_AUDIENCE: audience,
  };
  const token = newToken();
  writeFileSync(
    agent,
    `#!/bin/sh\n[ "$*" = "oidc request-token --audience ${audience}" ] && echo ${token}\n`,
  );
  chmodSync(agent, 0o755);
  const ran = await login(env);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toContain('Buildkite');
  expect(got.api).toEqual([token]);
  writeFileSync(agent, '#!/bin/sh\necho half-a-token; echo "fatal: not in a job" >&2; exit 1\n');
  const refused = await platform(['whoami'], env);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('fatal: not in a job') });
  expect(refused.stderr).not.toContain('half-a-token');
  expect(await platform(['whoami'], { ...env, PATH: '/nowhere' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('buildkite-agent is not installed'),
  });
});

test.each([
  ['nothing', {}, 3, 'There is no source of tokens here'],
  ['GitHub without the permission', { GITHUB_ACTIONS: 'true' }, 3, 'id-token: write'],
  [
    'half of GitHub',
    { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://a' },
    3,
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN is not set',
  ],
  ['the other half', { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'a' }, 3, 'ACTIONS_ID_TOKEN_REQUEST_URL is not set'],
  ['GitLab without id_tokens', { GITLAB_CI: 'true' }, 3, 'id_tokens'],
  [
    'Kubernetes without a file',
    { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
    3,
    'projected service account token',
  ],
  ['no audience', { BUILDKITE: 'true' }, 2, 'Which workload identity? Buildkite'],
  ['an id as audience', { BUILDKITE: 'true', PLATFORM_AUDIENCE: identity }, 2, 'not the audience'],
] as const)('%s is an error that says what is missing', async (_, env, code, message) => {
  const ran = await login(env);
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  expect(ran.stderr).toContain('Next:');
  expect(got.api).toEqual([]);
});

test('options of --oidc need --oidc', async () => {
  for (const option of ['--audience', '--token-file'])
    expect(await platform(['login', '--base-url', baseUrl, option, 'a'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${option} needs --oidc`),
    });
});

test('a token for another audience is not sent', async () => {
  const other = audience.replace('live', 'test');
  for (const [token, message] of [
    [newToken('https://gitlab.com'), 'is for https://gitlab.com, not for'],
    [newToken([audience, other]), 'alone'],
    [newToken(other), `not for ${audience}`],
    [newToken([]), 'not for'],
    [newToken(null), 'not for'],
    [`e30.${Buffer.from('{}').toString('base64url')}.c2ln`, 'no audience'],
    ['sk_live_secret', 'is not a JWT'],
    ['e30.bm8.c2ln', 'is not a JWT'],
    [`${newToken()}${'a'.repeat(20_000)}`, 'is not a JWT'],
    [' \n', 'is empty'],
  ] as const) {
    const ran = await login({ PLATFORM_ID_TOKEN: token, PLATFORM_AUDIENCE: audience });
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(message) });
    if (token.trim()) expect(ran.stderr).not.toContain(token);
  }
  expect(got.api).toEqual([]);
});

test('login stores nothing if the API refuses the token, and no error shows the token', async () => {
  planned.api.push((request, response) =>
    failed(401, 'unauthorized', `got ${request.headers.authorization}`)(request, response),
  );
  const ran = await login({ PLATFORM_ID_TOKEN: newToken() }, '--verbose');
  expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('got Bearer …') });
  expect(ran.stderr).not.toContain(got.api[0]);
  expect(profiles).toThrow('ENOENT');
});

describe('the variables', () => {
  const who = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const ran = await platform(['whoami', '--json', ...args], env);
    return ran.code === 0 ? jsonLines(ran)[0] : ran;
  };

  test('name an identity without a login', async () => {
    for (const env of [{ ...github(), PLATFORM_AUDIENCE: audience }, { PLATFORM_ID_TOKEN: newToken() }])
      expect(await who({ ...env, PLATFORM_BASE_URL: baseUrl })).toMatchObject({
        source: 'environment',
        kind: 'workload identity',
      });
  });

  test('with a key come first, and login says so', async () => {
    const key = { PLATFORM_API_KEY: cli.service.apiKey, PLATFORM_BASE_URL: cli.service.baseUrl };
    const env = { ...github(), ...key, PLATFORM_AUDIENCE: audience };
    const ran = await login(env);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('PLATFORM_API_KEY is set, and is used instead of the current profile.');
    expect(await who(env)).toMatchObject({ source: 'environment', kind: 'API key' });
    expect(await who(env, '--profile', 'default')).toMatchObject({ source: 'profile', subject });
  });

  test('that say the same as the current profile leave the project to it; others replace it, and login says so', async () => {
    const env = { ...github(), PLATFORM_BASE_URL: baseUrl, PLATFORM_AUDIENCE: audience };
    const project = 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const same = await login(env, '--project', project);
    expect(same).toMatchObject({ code: 0 });
    expect(same.stderr).not.toContain('instead of');
    expect(await who(env)).toMatchObject({ source: 'profile', projectId: project });
    const other = { ...env, PLATFORM_AUDIENCE: audience.replace(/E$/, 'F') };
    expect(await who(other)).toMatchObject({ source: 'environment' });
    const ran = await login(other, '--audience', audience);
    expect(ran.stderr).toContain('The variables name another identity or token');
  });

  test('with the address alone leave the source to the profile of this address only', async () => {
    await login(github(), '--audience', audience);
    const env = { ...github(), PLATFORM_BASE_URL: `${baseUrl}/` };
    expect(await who(env)).toMatchObject({ source: 'profile', subject });
    const { length } = got.ci;
    for (const other of [`${origin}/api/v2`, 'https://api.example.com/api/v1'])
      expect(await who({ ...env, PLATFORM_BASE_URL: other })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('PLATFORM_BASE_URL is set, but'),
      });
    expect(got.ci).toHaveLength(length);
  });
});

test('a profile with an unknown source is not used', async () => {
  mkdirSync(join(config, 'platform'), { recursive: true });
  for (const oidc of [
    { from: 'moon' },
    { from: 'github-actions' },
    { from: 'file' },
    null,
    { from: 'variable', audience: 5 },
  ]) {
    const content = { current: 'a', profiles: { a: { baseUrl, oidc } } };
    writeFileSync(join(config, 'platform/profiles.json'), JSON.stringify(content));
    expect(await platform(['whoami'], github())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it does not have the form of profiles'),
    });
  }
});

test('completions offer the options, and files for --token-file', async () => {
  const offered = async (...words: string[]) => platform(['__complete', 'login', ...words]);
  const names = (await offered('--')).stdout.split('\n').map((line) => line.split('\t')[0]);
  expect(names).toEqual(expect.arrayContaining(['--oidc', '--audience', '--token-file']));
  // The shell completes files itself.
  expect(await offered('--oidc', '--token-file', '')).toMatchObject({ code: 1 });
});
