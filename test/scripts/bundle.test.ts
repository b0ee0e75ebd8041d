/** The contents of a function's bundle, which decide its cold path. */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { oidcVariables } from '../../lib/credentials/oidc-issuers.ts';
import { processLimits } from '../../lib/extraction/bounded-process.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { coreNameOf } from '../../lib/http/middleware/cores.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { functionClientConfig } from '../../lib/runtime/function-client.ts';
import { dispatcherId } from '../../lib/workers/dispatcher.ts';
import { schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import { testTables } from '../../samples/tables.ts';
import { functionFolder, outputFolder } from '../../scripts/bundle/bundle.ts';
import { leftOut } from '../../scripts/bundle/replaced.ts';
import { requestEvent } from '../../scripts/local/call.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { Components } from '../../scripts/openapi/schemas.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';
import {
  bundleLimits,
  excessOf,
  modulesOf,
  recordedModules,
  recordModules,
} from '../support/bundle-growth.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../support/tokens.ts';

const meta = JSON.parse(readFileSync(resolve(outputFolder, '../meta.json'), 'utf8')) as Metafile;

const tools = /aws-cdk|vitest|esbuild|scripts\/(?!bundle\/(function-client|dynamodb\/|zod\/))|infra\/|test\//;

/** What a bundle contains, not only names. Without the path of the clone, which may contain any word. */
const inputsOf = ({ inputs }: Metafile['outputs'][string]) =>
  Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 60)
    .map(([path]) => path.replace(`${root}/`, ''));

/** @returns the descriptions in the schemas of an endpoint: their parts of some length that a bundle would write as they are */
function descriptionsOf(id: string): string[] {
  const endpoint = endpoints.find((one) => one.id === id);
  if (!endpoint) throw new Error(`there is no endpoint ${id}`);
  const components = new Components();
  const { params, query, body } = endpoint.request;
  const requests = [params, query, ...(body ? [body] : [])].map((schema) => components.of(schema, 'input'));
  // JSON Schema has no bytes and no functions.
  const shown =
    endpoint.raw === 'bytes' || endpoint.raw === 'events' ? [] : Object.values(endpoint.responses);
  const responses = shown.map((schema) => components.of(schema, 'output'));
  const json = JSON.stringify([requests, responses, components.schemas]);
  const found = [...json.matchAll(/"description":("(?:[^"\\]|\\.)*")/g)];
  return found.flatMap(([, text = '']) => (JSON.parse(text) as string).match(/[\w ,.:;()-]{25,}/g) ?? []);
}

/** @returns what exceeds the limits of a function, with the modules that have grown; undefined if nothing does */
function excess(endpoint: Endpoint): string | undefined {
  const { id } = endpoint;
  const name = coreNameOf(endpoint);
  const core = name === 'stream' ? 'read' : name;
  const bytes = meta.outputs[`dist/functions/${id}/index.mjs`]?.bytes ?? 0;
  return excessOf(id, core, { bytes, modules: modulesOf(meta, id) }, recordedModules(core));
}

afterAll(() => {
  if (endpoints.every((endpoint) => excess(endpoint) === undefined)) recordModules(meta);
});

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const output = () => {
    const found = meta.outputs[`dist/functions/${id}/index.mjs`];
    if (!found) throw new Error(`${id} has no bundle`);
    return found;
  };

  test('has no more bytes and modules than its limits', () => {
    expect(excess(endpoint)).toBeUndefined();
  });

  test('has the code for commits, files and downloads exactly if its declaration needs it', () => {
    const modules = modulesOf(meta, id);
    const has = (path: string) => (modules[path] ?? 0) > 0;
    expect({
      commits: has('lib/http/race.ts'),
      files: has('lib/runtime/s3-files.ts'),
      downloads: has('lib/downloads/s3-downloads.ts'),
    }).toEqual({
      commits: endpoint.method !== 'GET',
      files: endpoint.files.length > 0,
      downloads: endpoint.downloads,
    });
  });

  test('says nothing of what its schemas say to readers', () => {
    const text = readFileSync(resolve(functionFolder({ id }), 'index.mjs'), 'utf8');
    expect(descriptionsOf(id).filter((part) => text.includes(part))).toEqual([]);
  });

  test('imports no builtin statically, because that would load undici', () => {
    const statically = output().imports.filter(({ kind }) => kind === 'import-statement');
    expect(statically.map(({ path }) => path).filter((path) => path !== './openapi.json')).toEqual([]);
  });

  test.each([
    ['the library zod: scripts/bundle/zod/ has what is used of it', /node_modules\/zod\//],
    [
      'the AWS SDK but the rules of retries and the types of attribute values',
      /@aws-sdk\/(?!util-dynamodb\/)|@smithy\/(?!core\/dist-es\/submodules\/retry\/(util-retry|service-error))/,
    ],
    ['the verifiers of tokens', /aws-jwt-verify|token-(reader|verifier)|jwt-checks|oidc-issuers|key-cache/],
    ['the limiter', /lib\/(http|limits)\/limiter\.ts/],
    ['the messages of errors', /lib\/http\/errors\.ts/],
    ['what reads HTML, which is for the indexer', /parse5|\/entities\//],
    ['anything of the tools', tools],
  ])('has nothing of %s', (_, pattern) => {
    expect(inputsOf(output()).filter((path) => pattern.test(path))).toEqual([]);
  });
});

test('no function has a file of JSON, except the tools of agents and the characters of encodings: a manifest has a single field that a function needs', () => {
  const found = Object.entries(meta.outputs).flatMap(([output, { inputs }]) =>
    Object.entries(inputs)
      .filter(([path, { bytesInOutput }]) => /(?<!\.encodings)\.json$/.test(path) && bytesInOutput > 0)
      .map(([path]) => `${output} has ${path}`),
  );
  expect(found).toEqual(['dist/functions/exchange.mjs has lib/mcp/generated/tools.json']);
});

test('our code imports no module that bundles leave out', () => {
  const found = Object.entries(meta.inputs)
    .filter(([path]) => !path.includes('node_modules/'))
    .flatMap(([path, { imports }]) => imports.map((imported) => `${path} imports ${imported.path}`))
    .filter((imported) => leftOut.some((file) => imported.endsWith(file)));
  expect(found).toEqual([]);
});

describe('the tools of agents', () => {
  const output = () => {
    const found = meta.outputs['dist/functions/exchange.mjs'];
    if (!found) throw new Error('the tools have no bundle');
    return found;
  };

  test('are beside /mcp only', () => {
    for (const endpoint of endpoints) {
      expect(existsSync(resolve(functionFolder(endpoint), 'exchange.mjs')), endpoint.id).toBe(
        endpoint.forwards,
      );
    }
  });

  // A cold start loads them with the first message.
  test('have at most 600 KB, and nothing of the database or of the tools of development', () => {
    expect(output().bytes).toBeLessThanOrEqual(600_000);
    const inputs = inputsOf(output());
    expect(inputs.some((path) => path.includes('@modelcontextprotocol/server'))).toBe(true);
    expect(inputs.filter((path) => tools.test(path) || /dynamodb|aws-sdk|\/ajv\//.test(path))).toEqual([]);
  });

  test('answer in the bundled function, which has no table and no credentials', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize' };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const event = {
      headers: {},
      multiValueHeaders: { Authorization: ['Bearer sk_live_any'], 'content-type': ['application/json'] },
      requestContext: { requestId: 'r' },
      body: JSON.stringify({ ...body, params }),
    };
    const script = `
      const { handler } = await import('./index.mjs');
      const { statusCode, body } = await handler(${JSON.stringify(event)}, {});
      console.log(JSON.stringify({ statusCode, body }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: functionFolder({ id: 'mcp.post' }),
      env: { PATH: process.env.PATH, AWS_REGION: 'eu-central-1', API_URL: 'http://127.0.0.1:1/api/v1' },
    });
    const answer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { statusCode: number; body: string };
    expect(answer.statusCode, answer.body).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });
});

test('a bundle that is too large names the modules that have grown', () => {
  const before = { a: 1000, b: 2000, c: 10 };
  const modules = { a: 1000, b: 2500, d: 700 };
  const excess = (bytes: number) => excessOf('projects.get', 'read', { bytes, modules }, before);
  const { bytes: limit } = bundleLimits['projects.get'];
  expect(excess(limit)).toBeUndefined();
  expect(excess(limit + 1)?.split(/\n\s*/)).toEqual([
    `projects.get has ${limit + 1} bytes in 3 modules (at most ${limit} in ${bundleLimits['projects.get'].modules}). Compared with the recorded projects.get:`,
    'd: 700 bytes, new',
    'b: 2500 bytes, 500 more',
  ]);
});

test.each([
  ['commits', /dynamodb\/(commit|resources)\.ts/],
  ['idempotency records and replays', /recorded-response|replay|idempotency\/seal/],
  ['waiting', /http\/waiting|limits\/waits/],
  ['the messages of errors', /http\/errors\.ts/],
  [
    'webhooks, events, limits and schedules',
    /lib\/(events|webhooks|limits|schedule|exports|imports|erasure)\//,
  ],
])('projects.get, which reads one resource, has nothing of %s', (_, pattern) => {
  const paths = Object.entries(modulesOf(meta, 'projects.get')).filter(([, bytes]) => bytes > 0);
  expect(paths.map(([path]) => path).filter((path) => pattern.test(path))).toEqual([]);
});

test('descriptions are found', () => {
  expect(descriptionsOf('projects.get')).toContain('When the project was last changed.');
});

describe.each([...workers.map(({ id }) => id), dispatcherId, schedulerId])('%s', (id) => {
  const output = () => {
    const found = meta.outputs[`dist/functions/${id}/index.mjs`];
    if (!found) throw new Error(`${id} has no bundle`);
    return found;
  };

  // Nobody waits for a worker's cold start.
  test('has at most 1.36 MB', () => {
    expect(output().bytes).toBeLessThanOrEqual(1_360_000);
  });

  test('imports nothing, and contains no development package', () => {
    expect(output().imports.filter(({ kind }) => kind === 'import-statement')).toEqual([]);
    const inputs = inputsOf(output());
    expect(inputs.filter((path) => tools.test(path))).toEqual([]);
    const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const folders = new Set(
      inputs.flatMap((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
    );
    expect(folders.size).toBeGreaterThan(5);
    // One that the lock file does not know would be no better.
    expect([...folders].filter((folder) => packages[folder]?.dev !== undefined || !packages[folder])).toEqual(
      [],
    );
  });

  test('has the code for files exactly if its declaration needs it', () => {
    // The dispatcher and the scheduler declare no files.
    const files = workers.find((worker) => worker.id === id)?.files ?? [];
    expect((modulesOf(meta, id)['lib/runtime/s3-files.ts'] ?? 0) > 0).toBe(files.length > 0);
  });

  test('loads in a plain process and processes an empty batch', () => {
    const program = `
      const { handler } = await import(${JSON.stringify(resolve(functionFolder({ id }), 'index.mjs'))});
      const result = await handler({ Records: [] }, {}).catch(({ message }) => message);
      process.stdout.write(JSON.stringify(result));`;
    const args = ['--input-type=module', '--eval', program];
    const env = { PATH: process.env.PATH, AWS_REGION: 'eu-central-1' };
    expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).toBe(
      // The scheduler gets no batch. Without a table, it fails before it reads anything.
      id === schedulerId ? '"no table name is configured for \\"schedule\\""' : '{"batchItemFailures":[]}',
    );
  });
});

describe('the readers of tokens', () => {
  let issuer: TestIssuer;

  beforeAll(async () => {
    issuer = await openIssuer();
  });
  afterAll(() => issuer.close());

  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'are beside %s where it takes a credential, with the limiter; the messages of errors always are',
    (_, endpoint) => {
      for (const name of ['access-token-reader.mjs', 'workload-token-reader.mjs', 'limiter.mjs']) {
        const file = resolve(functionFolder(endpoint), name);
        expect(existsSync(file)).toBe(endpoint.auth !== 'public');
      }
      expect(existsSync(resolve(functionFolder(endpoint), 'errors.mjs'))).toBe(true);
    },
  );

  /** Sends a request to the bundled function in a new process. */
  async function run(runtime: Runtime, key: string, env: Record<string, string>) {
    const { route, event } = requestEvent(routesOf(runtime), 'GET', '/projects', { key });
    const script = `
      const { handler } = await import('./index.mjs');
      const { statusCode, headers, body } = await handler(${JSON.stringify(event)}, {});
      console.log(JSON.stringify({ statusCode, headers, body }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: functionFolder(route.endpoint),
      env: { ...process.env, ...testTables(), ...env },
    });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      statusCode: number;
      headers: Record<string, string>;
      body: string;
    };
  }

  test('is no part of the limiter, which counts in the bundled function', async () => {
    const api = await openApiWith(issuer);
    const rateLimit = { requests: 1, per: '1h' };
    const { secret } = await api.createKey({ scopes: ['projects:read'], rateLimit });
    const first = await run(api.runtime, secret, {});
    expect([first.statusCode, first.headers.RateLimit]).toEqual([
      200,
      expect.stringMatching(/^"key";r=0;t=\d+$/),
    ]);
    expect(await run(api.runtime, secret, {})).toMatchObject({ statusCode: 429 });
    const tenant = { rateLimit: { requests: 5, per: '1m' }, quotas: {} };
    const env = { LIMITS: JSON.stringify({ live: tenant, test: tenant }) };
    const limited = await run(api.runtime, api.rootKey, env);
    expect(limited.headers['RateLimit-Policy']).toBe('"tenant";q=5;w=60');
  });

  test('verifies them in the bundled function', async () => {
    const api = await openApiWith(issuer);
    const env = oidcVariables([issuer.settings]);
    const token = await api.token({ scopes: ['projects:read'] });
    expect(await run(api.runtime, token, env)).toMatchObject({ statusCode: 200 });
    const narrow = await run(api.runtime, await api.token({ scopes: ['audit:read'] }), env);
    expect(narrow.body).toContain('insufficient_scope');
    const forged = await run(api.runtime, api.forge({ iss: 'https://other.example' }), env);
    expect(forged.body).toContain('This access token is from another issuer');
    const away = oidcVariables([{ ...issuer.settings, jwksUri: 'http://127.0.0.1:1/jwks' }]);
    expect(await run(api.runtime, token, away)).toMatchObject({ statusCode: 503 });
    const unknown = await run(api.runtime, token, {});
    expect(unknown.body).toContain('Access tokens are not configured');
  });
});

// At each change, the account runs every bundle (test/aws/deployed.test.ts).
test('every bundle loads in a plain process and responds', { tags: ['nightly'] }, () => {
  const guarded = endpoints.filter(({ auth }) => auth !== 'public');
  const files = guarded.map((endpoint) => resolve(functionFolder(endpoint), 'index.mjs'));
  // Without a credential: 401, before any table is needed.
  const program = `
    for (const file of ${JSON.stringify(files)}) {
      const { handler } = await import(file);
      await handler({ headers: {}, requestContext: { requestId: 'r' } }, {});
    }`;
  const args = ['--input-type=module', '--eval', program];
  const env = { ...process.env, AWS_REGION: 'eu-central-1' };
  const output = execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: 'pipe' });
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: number });
  expect(lines.map(({ status }) => status)).toEqual(guarded.map(() => 401));
});

test('the program that reads files is beside each worker that starts it, and has memory', () => {
  const inputsOfWorker = ({ id }: { id: string }) =>
    meta.outputs[`dist/functions/${id}/index.mjs`]?.inputs ?? {};
  const starting = workers.filter((worker) => 'lib/extraction/bounded-process.ts' in inputsOfWorker(worker));
  expect(starting.map(({ id }) => id)).toEqual(['knowledge-extractor', 'source-refresher']);
  for (const worker of starting) {
    for (const name of ['extraction-child.mjs', 'cmaps'])
      expect(existsSync(resolve(functionFolder(worker), name)), `${worker.id}/${name}`).toBe(true);
    expect(worker.memoryMb - processLimits.residentBytes / 2 ** 20).toBeGreaterThan(900);
  }
});

test('a function uses DynamoDB in its region, or the configured endpoint', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
  const endpointIn = (env: Record<string, string>) => functionClientConfig({ ...keys, ...env }).endpoint;
  expect(endpointIn({ AWS_REGION: 'eu-central-1' })).toBe('https://dynamodb.eu-central-1.amazonaws.com');
  expect(endpointIn({ AWS_REGION: 'us-gov-west-1' })).toBe('https://dynamodb.us-gov-west-1.amazonaws.com');
  expect(endpointIn({ AWS_REGION: 'cn-north-1' })).toBe('https://dynamodb.cn-north-1.amazonaws.com.cn');
  const local = 'http://127.0.0.1:8000';
  expect(endpointIn({ AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: local })).toBe(local);
  expect(
    endpointIn({ AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL_DYNAMODB: local, AWS_ENDPOINT_URL: 'x' }),
  ).toBe(local);
  expect(functionClientConfig({ ...keys, AWS_REGION: 'eu-central-1' }).credentials).toEqual({
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  });
  expect(() => functionClientConfig(keys)).toThrow('AWS_REGION is not set');
});
