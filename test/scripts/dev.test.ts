/** `npm run dev` in a fresh checkout. */

import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/local/free-port.ts';

const root = resolve(import.meta.dirname, '../..');
type Ready = { baseUrl: string; apiKey: string; testApiKey: string; dynamodbEndpoint: string };

let folder: string;
const running: ChildProcess[] = [];

/** A separate checkout with its own .local. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platform-api-'));
  for (const part of ['functions', 'lib', 'scripts', 'workers', 'package.json', 'openapi.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
const stopAll = () => Promise.all(running.splice(0).map((child) => stop(child, 'SIGKILL')));
afterAll(async () => {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
});

const devFile = () => join(folder, '.local/dev.json');

type Started = { child: ChildProcess; output: () => string; code: Promise<number | null> };

function dev(port: number | string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, ['scripts/dev.ts', ...args], {
    cwd: folder,
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '', PORT: String(port), ...env },
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = new Promise<number | null>((done) => child.once('exit', (status) => done(status)));
  return { child, output: () => output, code };
}

async function until(condition: () => boolean, what: () => string): Promise<void> {
  for (let tries = 0; tries < 7200; tries += 1) {
    if (condition()) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`waited in vain: ${what()}`);
}

async function ready(port: number, args: string[] = []): Promise<Started & Ready> {
  const started = dev(port, args);
  const hasEnded = () => started.child.exitCode !== null;
  await until(() => started.output().includes('Stop with Ctrl+C') || hasEnded(), started.output);
  if (hasEnded()) throw new Error(`the server has ended: ${started.output()}`);
  return { ...started, ...(JSON.parse(readFileSync(devFile(), 'utf8')) as Ready) };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await ended;
}

const isListening = (url: string) =>
  new Promise<boolean>((done) => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

/** @returns all that the server sends. It ends the connection, or there is silence after a response */
const answerTo = (port: number, bytes: string | Uint8Array) =>
  new Promise<string>((done, fail) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    );
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.setTimeout(200);
    });
    // A refused connection means that the server has ended. A reset one may follow a response.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? fail(error) : done(text),
    );
    socket.on('close', () => done(text));
  });

const get = (url: string, key: string) => fetch(url, { headers: { Authorization: `Bearer ${key}` } });

type Json = Record<string, unknown>;

/** A project with a document, and the job that indexes it. */
async function askForIndex({ baseUrl, apiKey }: Ready) {
  const post = async (path: string, body?: Json) => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { response, data: ((await response.json()) as { data: Json }).data };
  };
  const { data } = await post('/projects', { name: 'knowing' });
  const project = `/projects/${data.id}`;
  const document = { title: 'Returns', content: 'Within thirty days.' };
  expect((await post(`${project}/knowledge/documents`, document)).response.status).toBe(201);
  const { response } = await post(`${project}/knowledge/reindex`);
  expect(response.status).toBe(202);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  return { project, job: new URL(response.headers.get('location') ?? '', baseUrl) };
}

/** @returns the job once it has ended */
async function ended({ apiKey, output }: Started & Ready, job: URL): Promise<Json> {
  let shown = '';
  for (let tries = 0; tries < 1800; tries += 1) {
    shown = await (await get(job.href, apiKey)).text();
    const { data } = JSON.parse(shown) as { data?: Json };
    // On a busy machine, a response may be 503.
    if (data?.finishedAt) return data;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the job has not ended: ${shown}\n${output()}`);
}

describe('a running server', () => {
  let server: Started & Ready;

  beforeAll(async () => {
    server = await ready(await freePort());
  });
  afterAll(stopAll);

  test('prints how to call it', async () => {
    const { output, baseUrl, apiKey, testApiKey } = server;
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    expect(apiKey).toMatch(/^sk_live_/);
    expect(testApiKey).toMatch(/^sk_test_/);
    expect(statSync(devFile()).mode & 0o777).toBe(0o600);
    for (const part of [baseUrl, apiKey, 'curl']) expect(output()).toContain(part);
    expect((await get(`${baseUrl}/projects`, apiKey)).status).toBe(200);
    expect((await get(`${baseUrl}/projects`, testApiKey)).status).toBe(200);
  });

  test('issues access tokens for each mode with the printed command', async () => {
    const { output, baseUrl } = server;
    const [, tokenEndpoint = '', live = ''] =
      /curl -sS --fail-with-body (\S+\/token) -u '(\S+)'/.exec(output()) ?? [];
    const [, inTest = ''] = /for test mode: -u '(\S+)'/.exec(output()) ?? [];
    for (const client of [live, inTest]) {
      const response = await fetch(tokenEndpoint, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${btoa(client)}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials&scope=projects:write+api-keys:write',
      });
      const { access_token: token } = (await response.json()) as { access_token: string };
      expect((await get(`${baseUrl}/projects`, token)).status).toBe(200);
    }
    expect(output()).not.toMatch(/oidc-provider|warning/i);
  });

  test('answers any bytes on its socket, and goes on', async () => {
    const { baseUrl, apiKey } = server;
    const { port } = new URL(baseUrl);
    const send = (bytes: string | Uint8Array) => answerTo(Number(port), bytes);
    const get = (target: string, more = '') =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`;
    const expected: [string, number][] = [
      [get('//'), 404],
      [get('///'), 404],
      [get('//[/'), 404],
      [get('/files//'), 403],
      [get('/files/%'), 403],
      [get('http://['), 404],
      [get('http://x/api/v1/health'), 404],
      [get('*').replace('GET', 'OPTIONS'), 404],
      [get('/api/v1/%'), 404],
      [get('/api/v1/projects/%E0%A4%A'), 400],
      [get('/api/v1/health', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'), 200],
      [get('/api/v1/health', 'Expect: a miracle\r\n'), 200],
      ['GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 200],
      ['CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
      [get('/', `X: ${'x'.repeat(40_000)}\r\n`), 400],
      [get('/', 'no colon\r\n'), 400],
      [get('/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'), 400],
      ['POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
      ['nonsense\r\n\r\n', 400],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      ['\u0016\u0003\u0001\u0002\u0000\u0001', 400],
    ];
    for (const [bytes, status] of expected) {
      const text = await send(bytes);
      expect(text.slice(0, 12), bytes.slice(0, 80)).toBe(`HTTP/1.1 ${status}`);
      if (bytes.includes('/files/')) continue;
      expect(text, bytes.slice(0, 80)).toMatch(/\{"success":(true|false),/);
    }
    // The same hostile bytes in each run.
    let seed = 1;
    const next = () => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed;
    };
    const requests = expected.map(([bytes]) => Buffer.from(bytes, 'latin1'));
    for (let round = 0; round < 150; round += 1) {
      const bytes = Buffer.from(requests[round % requests.length] ?? '');
      for (let change = 0; change < 3; change += 1) bytes[next() % bytes.length] = next() % 256;
      await send(bytes);
    }
    expect(
      (await fetch(`${baseUrl}/projects`, { headers: { Authorization: `Bearer ${apiKey}` } })).status,
    ).toBe(200);
  });

  test('responds to unknown routes in the envelope', async () => {
    const { baseUrl, apiKey } = server;
    const at = (path: string, method = 'GET') =>
      fetch(baseUrl + path, { method, headers: { Authorization: `Bearer ${apiKey}` } });
    const expectError = async (response: Response, status: number, code: string) => {
      expect(response.status).toBe(status);
      const body = (await response.json()) as { error: { code: string; requestId: string } };
      expect(body).toMatchObject({ success: false, error: { code } });
      expect(response.headers.get('x-request-id')).toBe(body.error.requestId);
      expect(response.headers.get('cache-control')).toBe('no-store');
    };
    await expectError(await at('/nothing'), 404, 'not_found');
    await expectError(await at('/projects/'), 404, 'not_found');
    await expectError(await fetch(new URL('/', baseUrl)), 404, 'not_found');
    const refused = await at('/projects', 'PUT');
    expect(refused.headers.get('allow')).toBe('GET, POST');
    await expectError(refused, 405, 'method_not_allowed');
    await expectError(await at('/api-keys/me', 'PUT'), 405, 'method_not_allowed');
    await expectError(await at('/projects/%E0%A4%A'), 400, 'validation_error');
  });

  test("accepts headers in any case, and refuses a body above the gateway's limit", async () => {
    const { baseUrl, apiKey } = server;
    const { port } = new URL(baseUrl);
    const raw = (headers: Record<string, string | string[]>, body = '') =>
      new Promise<{ status?: number | undefined; replayed: boolean }>((done, fail) => {
        const sent = httpRequest({ port, path: '/api/v1/projects', method: 'POST', headers }, (response) => {
          response.resume();
          done({ status: response.statusCode, replayed: 'idempotent-replayed' in response.headers });
        });
        sent.on('error', fail);
        sent.end(body);
      });
    const headers = {
      AUTHORIZATION: `bearer ${apiKey}`,
      'content-TYPE': 'Application/JSON; charset=utf-8',
      'IDEMPOTENCY-key': 'case',
    };
    expect(await raw(headers, '{"name":"p"}')).toEqual({ status: 201, replayed: false });
    expect(await raw(headers, '{"name":"p"}')).toEqual({ status: 201, replayed: true });
    expect((await raw(headers, `"${'x'.repeat(300_000)}"`)).status).toBe(413);
    expect((await raw({ ...headers, 'IDEMPOTENCY-key': ['case', 'case'] }, '{"name":"p"}')).status).toBe(400);
  });

  test('indexes documents, and search finds them', async () => {
    const { project, job } = await askForIndex(server);
    expect(await ended(server, job)).toMatchObject({ status: 'succeeded', result: { documents: 1 } });
    const found = await get(`${server.baseUrl}${project}/knowledge/search?q=thirty`, server.apiKey);
    expect(await found.json()).toMatchObject({ data: { items: [{ title: 'Returns' }] } });
  });

  test('uses a running DynamoDB Local', async () => {
    const other = dev(await freePort(), [], { AWS_ENDPOINT_URL_DYNAMODB: server.dynamodbEndpoint, PATH: '' });
    await until(() => other.output().includes('Stop with'), other.output);
    const { baseUrl, apiKey } = JSON.parse(readFileSync(devFile(), 'utf8')) as Ready;
    expect((await get(`${baseUrl}/projects`, apiKey)).status).toBe(200);
    await stop(other.child, 'SIGTERM');
    // Its database is not its own.
    expect(await isListening(server.dynamodbEndpoint)).toBe(true);
  });

  test('a second server runs beside it with its own data, and leaves no DynamoDB Local even if it is killed', async () => {
    const two = await ready(await freePort());
    expect((await get(`${two.baseUrl}/projects`, two.apiKey)).status).toBe(200);
    expect((await get(`${two.baseUrl}/projects`, server.apiKey)).status).toBe(401);
    // The file names the server that started last.
    await stop(server.child, 'SIGINT');
    expect(existsSync(devFile())).toBe(true);
    expect((await get(`${two.baseUrl}/projects`, two.apiKey)).status).toBe(200);
    await stop(two.child, 'SIGKILL');
    await expect.poll(() => isListening(two.dynamodbEndpoint), { timeout: 60_000 }).toBe(false);
  });
});

describe('a server', () => {
  afterEach(stopAll);

  test('stops without leaving anything, and leaves the files of --persist alone without --persist', async () => {
    const kept = join(folder, '.local/files/kept');
    mkdirSync(join(kept, '..'), { recursive: true });
    writeFileSync(kept, 'kept');
    const { child, code, output, dynamodbEndpoint } = await ready(await freePort());
    const [, tokenEndpoint = ''] = /(\S+\/token) -u/.exec(output()) ?? [];
    child.kill('SIGTERM');
    expect(await code).toBe(0);
    expect(existsSync(devFile())).toBe(false);
    for (const url of [dynamodbEndpoint, tokenEndpoint]) expect(await isListening(url), url).toBe(false);
    expect(readFileSync(kept, 'utf8')).toBe('kept');
  });

  test('has written .local/dev.json when it first responds, and its banner is one piece', async () => {
    const port = await freePort();
    const { output, child } = dev(port);
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/api/v1/health`)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (!(await isUp())) {
      if (child.exitCode !== null) throw new Error(output());
    }
    expect(JSON.parse(readFileSync(devFile(), 'utf8'))).toMatchObject({
      baseUrl: `http://127.0.0.1:${port}/api/v1`,
    });
    await until(() => output().includes('Stop with'), output);
    // No line of the log is before the banner or in it.
    const banner = output().slice(0, output().indexOf('Stop with'));
    expect(banner).toMatch(/^\n {2}Base URL/);
    expect(banner).not.toMatch(/^(done|failed|\d{3}) /m);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s to npm alone ends it', async (signal) => {
    rmSync(devFile(), { force: true });
    const npm = spawn('npm', ['run', 'dev'], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '', PORT: String(await freePort()) },
    });
    running.push(npm);
    await until(
      () => existsSync(devFile()),
      () => 'no dev.json',
    );
    const { baseUrl } = JSON.parse(readFileSync(devFile(), 'utf8')) as Ready;
    npm.kill(signal);
    await until(
      () => !existsSync(devFile()),
      () => 'dev.json is still there',
    );
    expect(await isListening(baseUrl)).toBe(false);
  });

  test('keeps data and keys with --persist', async () => {
    const port = await freePort();
    const first = await ready(port, ['--persist']);
    const created = await fetch(`${first.baseUrl}/projects`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${first.apiKey}`, 'Content-Type': 'application/json' },
      body: '{"name":"kept"}',
    });
    const { data } = (await created.json()) as { data: { id: string } };
    const second = dev(await freePort(), ['--persist']);
    expect(await second.code).toBe(1);
    expect(second.output()).toMatch(/in use by process \d+/);
    await stop(first.child, 'SIGTERM');
    const again = await ready(port, ['--persist']);
    for (const key of [first.apiKey, again.apiKey]) {
      expect((await get(`${again.baseUrl}/projects/${data.id}`, key)).status).toBe(200);
    }
  });

  test('builds a requested index after it was killed and restarted with --persist', {
    tags: ['nightly'],
  }, async () => {
    const port = await freePort();
    const first = await ready(port, ['--persist']);
    const { project, job } = await askForIndex(first);
    // DynamoDB Local writes to its file a moment after it has responded. A kill in between loses the request itself.
    await sleep(2000);
    await stop(first.child, 'SIGKILL');
    const again = await ready(port, ['--persist']);
    expect(await ended(again, job)).toMatchObject({ status: 'succeeded', result: { documents: 1 } });
    const found = await get(`${again.baseUrl}${project}/knowledge/search?q=thirty`, again.apiKey);
    expect(await found.json()).toMatchObject({ data: { items: [{ title: 'Returns' }] } });
  });
});

describe('mistakes are reported in one sentence', () => {
  afterEach(stopAll);

  const sentence = async (started: Started) => {
    expect(await started.code).toBe(1);
    const text = started.output().trim();
    expect(text.split('\n')).toHaveLength(1);
    return text;
  };

  test('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const { port } = server.address() as AddressInfo;
    expect(await sentence(dev(port))).toMatch(/^Port \d+ is in use\. Choose another/);
    server.close();
  });

  test('no Java', async () => {
    const text = await sentence(dev(await freePort(), [], { PATH: '' }));
    expect(text).toMatch(/^Java is missing\. Install Java 17 .*AWS_ENDPOINT_URL_DYNAMODB/);
  });

  test('an invalid --persist folder', async () => {
    rmSync(join(folder, '.local/dynamodb'), { recursive: true, force: true });
    writeFileSync(join(folder, '.local/dynamodb'), 'a file');
    const text = await sentence(dev(await freePort(), ['--persist']));
    rmSync(join(folder, '.local/dynamodb'));
    expect(text).toContain('cannot be used (');
  });

  test('a --persist folder with a broken database', async () => {
    rmSync(join(folder, '.local/dynamodb'), { recursive: true, force: true });
    cpSync(join(root, 'lib'), join(folder, '.local/dynamodb'), { recursive: true });
    writeFileSync(join(folder, '.local/dynamodb/shared-local-instance.db'), 'not a database'.repeat(1000));
    const text = await sentence(dev(await freePort(), ['--persist']));
    rmSync(join(folder, '.local/dynamodb'), { recursive: true });
    expect(text).toContain('cannot be used (');
  });

  test.each(['0', 'abc', '70000'])('PORT=%s', async (port) => {
    expect(await sentence(dev(port))).toContain('is not a port');
  });

  test('an unknown option', async () => {
    expect(await sentence(dev(await freePort(), ['--presist']))).toContain('--persist');
  });
});
