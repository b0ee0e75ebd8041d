/** `npm run dev` in a fresh checkout. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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
import { DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tableNameIn } from '../../lib/dynamodb/tables.ts';
import type { CiVariables } from '../../scripts/local/ci-tokens.ts';
import type { DevFile } from '../../scripts/local/dev-file.ts';
import { localCredentials } from '../../scripts/local/dynamodb.ts';
import { freePort, portFrom } from '../../scripts/local/port.ts';
import { devPrefix } from '../../scripts/local/service.ts';
import { UsageError } from '../../scripts/shared/options.ts';

const root = resolve(import.meta.dirname, '../..');

let folder: string;
const running: ChildProcess[] = [];

/** The service has its own .local here. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platform-api-'));
});
/** Only what a user has before the first build. */
function freshCheckout(): string {
  const checkout = join(folder, 'checkout');
  if (existsSync(checkout)) return checkout;
  const sources = ['functions', 'lib', 'scripts', 'workers', 'clients/python/src'];
  for (const part of [...sources, 'package.json', 'openapi.json'])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  return checkout;
}

const stopAll = () => Promise.all(running.splice(0).map((child) => stop(child, 'SIGKILL')));
afterAll(async () => {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
});

const devFile = () => join(folder, '.local/dev.json');

const ownDatabase = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '' };

type Started = { child: ChildProcess; output: () => string; code: Promise<number | null> };

function dev(port: number | string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [join(root, 'scripts/dev.ts'), ...args], {
    cwd: folder,
    env: { ...ownDatabase, PORT: String(port), ...env },
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

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const known = () => JSON.parse(readFileSync(devFile(), 'utf8')) as DevFile;

/** Until it has printed its banner. */
async function greeted<Server extends Started>(started: Server): Promise<Server> {
  const { child, output } = started;
  await until(() => output().includes('Stop with Ctrl+C') || hasEnded(child), output);
  if (hasEnded(child)) throw new Error(`the server has ended: ${output()}`);
  return started;
}

async function ready(port: number, args: string[] = []): Promise<Started & DevFile> {
  const started = await greeted(dev(port, args));
  return { ...started, ...known() };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
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

/** @returns the id of the process of its DynamoDB Local */
const databaseOf = ({ pid }: ChildProcess) =>
  Number(execFileSync('pgrep', ['-P', String(pid), 'java'], { encoding: 'utf8' }));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

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
async function askForIndex({ baseUrl, apiKey }: DevFile) {
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
async function ended({ apiKey, output }: Started & DevFile, job: URL): Promise<Json> {
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
  let server: (Started & DevFile) | undefined;
  const shared = (): Started & DevFile => {
    if (!server) throw new Error('there is no server');
    return server;
  };

  // A test may have stopped it.
  beforeEach(async () => {
    if (server && !hasEnded(server.child)) return;
    const port = await freePort();
    const started = dev(port);
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/api/v1/health`)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (!(await isUp())) {
      if (hasEnded(started.child)) throw new Error(started.output());
      await sleep(2);
    }
    // Whoever gets the first response finds the file.
    const file = known();
    expect(file.baseUrl).toBe(`http://127.0.0.1:${port}/api/v1`);
    expect(statSync(devFile()).mode & 0o777).toBe(0o600);
    server = await greeted({ ...started, ...file });
  });
  afterAll(stopAll);

  test('has written .local/dev.json when it first responds, and its banner is one piece', () => {
    const { output } = shared();
    // No line of the log is before the banner or in it.
    const banner = output().slice(0, output().indexOf('Stop with'));
    expect(banner).toMatch(/^\s*Base URL/);
    expect(banner).not.toMatch(/^(done|failed|\d{3}) /m);
  });

  test('prints how to call it', async () => {
    const { output, baseUrl, apiKey, testApiKey } = shared();
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    expect(apiKey).toMatch(/^sk_live_/);
    expect(testApiKey).toMatch(/^sk_test_/);
    for (const part of [baseUrl, apiKey, 'curl']) expect(output()).toContain(part);
    expect((await get(`${baseUrl}/projects`, apiKey)).status).toBe(200);
    expect((await get(`${baseUrl}/projects`, testApiKey)).status).toBe(200);
  });

  test('issues access tokens for each mode with the printed command', async () => {
    const { output, baseUrl } = shared();
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

  test('gives a job the token of a workload, with the printed variables', async () => {
    const { output, ...file } = { ...shared(), ...known() };
    const variable = (name: keyof CiVariables) =>
      new RegExp(`export ${name}='(\\S+)'`).exec(output())?.[1] ?? '';
    const url = variable('ACTIONS_ID_TOKEN_REQUEST_URL');
    const token = variable('ACTIONS_ID_TOKEN_REQUEST_TOKEN');
    expect([url, token]).toEqual([file.ACTIONS_ID_TOKEN_REQUEST_URL, file.ACTIONS_ID_TOKEN_REQUEST_TOKEN]);
    expect(output()).toContain(file.issuer);
    const response = await get(`${url}&audience=urn:platform:any`, token);
    const { value } = (await response.json()) as { value: string };
    const claims = JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ iss: file.issuer, aud: 'urn:platform:any', repository_id: '1001' });
  });

  test('answers any bytes on its socket, and goes on', async () => {
    const { baseUrl, apiKey } = shared();
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
    const { baseUrl, apiKey } = shared();
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
    const { baseUrl, apiKey } = shared();
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

  test('indexes documents, and search finds them', { tags: ['long'] }, async () => {
    const { project, job } = await askForIndex(shared());
    expect(await ended(shared(), job)).toMatchObject({ status: 'succeeded', result: { documents: 1 } });
    const found = await get(`${shared().baseUrl}${project}/knowledge/search?q=thirty`, shared().apiKey);
    expect(await found.json()).toMatchObject({ data: { items: [{ title: 'Returns' }] } });
  });

  test('lets DynamoDB Local remove expired items', async () => {
    const { AWS_REGION: region, ...key } = localCredentials;
    const credentials = { accessKeyId: key.AWS_ACCESS_KEY_ID, secretAccessKey: key.AWS_SECRET_ACCESS_KEY };
    const client = new DynamoDBClient({ endpoint: shared().dynamodbEndpoint, region, credentials });
    const TableName = tableNameIn(devPrefix, 'idempotency');
    expect(await client.send(new DescribeTimeToLiveCommand({ TableName }))).toMatchObject({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' },
    });
    client.destroy();
  });

  test('uses a running DynamoDB Local', { tags: ['long'] }, async () => {
    const { dynamodbEndpoint } = shared();
    const other = dev(await freePort(), [], { AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint, PATH: '' });
    await greeted(other);
    const { baseUrl, apiKey } = known();
    expect((await get(`${baseUrl}/projects`, apiKey)).status).toBe(200);
    await stop(other.child, 'SIGTERM');
    // Its database is not its own.
    expect(await isListening(dynamodbEndpoint)).toBe(true);
  });

  describe.each([
    ['SIGINT', 'long'],
    ['SIGTERM', 'nightly'],
  ] as const)('%s to npm alone', (signal, tag) => {
    test('ends it, in a fresh checkout', { tags: [tag] }, async () => {
      const checkout = freshCheckout();
      const file = join(checkout, '.local/dev.json');
      const npm = spawn('npm', ['run', 'dev'], {
        cwd: checkout,
        stdio: 'ignore',
        // A database of its own would take longer to start than all the rest.
        env: {
          ...process.env,
          NODE_COMPILE_CACHE: join(checkout, '.local/cache'),
          AWS_ENDPOINT_URL_DYNAMODB: shared().dynamodbEndpoint,
          PORT: String(await freePort()),
        },
      });
      running.push(npm);
      await until(
        () => existsSync(file),
        () => 'no dev.json',
      );
      const { baseUrl } = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
      npm.kill(signal);
      await until(
        () => !existsSync(file),
        () => 'dev.json is still there',
      );
      await expect.poll(() => isListening(baseUrl)).toBe(false);
    });
  });

  test('stops without leaving anything', async () => {
    const { child, code, output, dynamodbEndpoint } = shared();
    const [, tokenEndpoint = ''] = /(\S+\/token) -u/.exec(output()) ?? [];
    const database = databaseOf(child);
    child.kill('SIGINT');
    expect(await code).toBe(0);
    await expect.poll(() => isRunning(database)).toBe(false);
    for (const url of [dynamodbEndpoint, tokenEndpoint]) expect(await isListening(url), url).toBe(false);
    expect(existsSync(devFile())).toBe(false);
  });

  test('stops beside one with --persist, which keeps data and keys', { tags: ['nightly'] }, async () => {
    const one = shared();
    const kept = join(folder, '.local/files/kept');
    mkdirSync(join(kept, '..'), { recursive: true });
    writeFileSync(kept, 'kept');
    const port = await freePort();
    const two = await ready(port, ['--persist']);
    const created = await fetch(`${two.baseUrl}/projects`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${two.apiKey}`, 'Content-Type': 'application/json' },
      body: '{"name":"kept"}',
    });
    const { data } = (await created.json()) as { data: { id: string } };
    expect((await get(`${two.baseUrl}/projects`, one.apiKey)).status).toBe(401);
    const third = dev(await freePort(), ['--persist']);
    expect(await third.code).toBe(1);
    expect(third.output()).toMatch(/in use by process \d+/);

    one.child.kill('SIGINT');
    expect(await one.code).toBe(0);
    // It leaves the files of --persist alone, and the file names the server that started last.
    expect(readFileSync(kept, 'utf8')).toBe('kept');
    expect(known().baseUrl).toBe(two.baseUrl);

    two.child.kill('SIGTERM');
    expect(await two.code).toBe(0);
    expect(existsSync(devFile())).toBe(false);
    const again = await ready(port, ['--persist']);
    for (const key of [two.apiKey, again.apiKey])
      expect((await get(`${again.baseUrl}/projects/${data.id}`, key)).status).toBe(200);
    // Even if it is killed, it leaves no DynamoDB Local.
    const database = databaseOf(again.child);
    await stop(again.child, 'SIGKILL');
    await expect.poll(() => isRunning(database)).toBe(false);
  });
});

test('a server builds a requested index after it was killed and restarted with --persist', {
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
  await stop(again.child, 'SIGKILL');
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

  test('no Java', { tags: ['long'] }, async () => {
    const text = await sentence(dev(await freePort(), [], { PATH: '' }));
    expect(text).toMatch(/^Java is missing\. Install Java 17 .*AWS_ENDPOINT_URL_DYNAMODB/);
  });

  test('an invalid --persist folder', { tags: ['long'] }, async () => {
    rmSync(join(folder, '.local/dynamodb'), { recursive: true, force: true });
    writeFileSync(join(folder, '.local/dynamodb'), 'a file');
    const text = await sentence(dev(await freePort(), ['--persist']));
    rmSync(join(folder, '.local/dynamodb'));
    expect(text).toContain('cannot be used (');
  });

  test('a --persist folder with a broken database', { tags: ['long'] }, async () => {
    rmSync(join(folder, '.local/dynamodb'), { recursive: true, force: true });
    cpSync(join(root, 'lib'), join(folder, '.local/dynamodb'), { recursive: true });
    writeFileSync(join(folder, '.local/dynamodb/shared-local-instance.db'), 'not a database'.repeat(1000));
    const text = await sentence(dev(await freePort(), ['--persist']));
    rmSync(join(folder, '.local/dynamodb'), { recursive: true });
    expect(text).toContain('cannot be used (');
  });

  test('PORT=abc', { tags: ['long'] }, async () => {
    expect(await sentence(dev('abc'))).toContain('is not a port');
  });

  test.each(['0', '70000', '1.5', 'abc'])('PORT=%s is no port', (PORT) => {
    expect(() => portFrom({ PORT })).toThrow(UsageError);
  });

  test('an unknown option', { tags: ['long'] }, async () => {
    expect(await sentence(dev(await freePort(), ['--presist']))).toContain('--persist');
  });
});
