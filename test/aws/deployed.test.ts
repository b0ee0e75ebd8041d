/**
 * The deployed service: deployed into an emulated AWS account (MiniStack) with the CDK CLI, and called over HTTP
 * through the emulated gateway. The tests build on each other, from `cdk bootstrap` to `cdk destroy`.
 *
 * Every endpoint shows its declared responses, its replay and the rows of the contract that depend on it. The rows of the
 * pipeline, which is the same code in all endpoints, are shown by a few each (test/support/shown-contract.ts);
 * test/contract.test.ts shows them on every endpoint, without an account.
 *
 * docs/testing.md lists how the emulator differs from AWS. Where this matters, test/infra tests the template instead.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { dataStackName, stackName } from '../../infra/names.ts';
import { bootstrapOrganisation } from '../../lib/credentials/bootstrap.ts';
import { outputName, tableVariables } from '../../lib/dynamodb/tables.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { referenceFolder } from '../../lib/http/page-folders.ts';
import { createRuntime, type Runtime } from '../../lib/http/runtime.ts';
import type { ApiResponse, CallOptions, ContractApi } from '../../samples/api.ts';
import { suspendedOf, testModeKeyOf } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';
import { asSent } from '../../scripts/local/call.ts';
import { commandOf } from '../../scripts/shared/tools.ts';
import { type Account, cdk, run, startAccount } from '../support/aws-account.ts';
import { organisations, send } from '../support/contract.ts';
import { requestDeployed } from '../support/deployed-request.ts';
import { remoteApi } from '../support/remote-api.ts';
import { deployedContract, nightlyContract } from '../support/shown-contract.ts';
import { rehearseBulk } from './bulk.ts';
import { rehearseDownloads } from './downloads.ts';
import { rehearseFeed } from './feed.ts';
import { rehearseRestore } from './restore.ts';
import { rehearseRunbook } from './runbook.ts';

const stack = stackName('dev');
let account: Account;
let outputs: Map<string, string>;
let runtime: Runtime;

beforeAll(async () => {
  account = await startAccount();
  Object.assign(process.env, account.env);
}, 300_000);
afterAll(() => account?.stop());

const fetchDeployed = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  baseUrl = outputs.get('BaseUrl') ?? '',
): Promise<ApiResponse> => requestDeployed({ account, baseUrl }, { method, path, headers, body });

const callAt =
  (baseUrl: string, key: string) =>
  (method: string, path: string, options: CallOptions = {}) => {
    const { headers, text } = asSent({ key, ...options });
    return fetchDeployed(method, path, headers, text, baseUrl);
  };

/** @returns the deployed API, for a new organisation */
async function openDeployed(rootKey?: string, organisation?: string): Promise<ContractApi> {
  const made = rootKey ? undefined : await bootstrapOrganisation(runtime, 'Deployed', 'live');
  const key = rootKey ?? made?.secret ?? '';
  const organisationId = organisation ?? made?.organisationId ?? '';
  return remoteApi({
    call: callAt(outputs.get('BaseUrl') ?? '', key),
    rootKey: key,
    organisationId,
    testModeKey: () => testModeKeyOf(runtime, organisationId),
    whileSuspended: suspendedOf(runtime, organisationId),
    another: () => openDeployed(),
  });
}

/**
 * Repeats a request that gets 503, after its Retry-After. On a busy machine, fifty functions wait for DynamoDB Local
 * for longer than a function waits for DynamoDB.
 */
async function untilServed(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await request();
    if (answer.status !== 503 || attempt === 20) return answer;
    await sleep(Number(answer.headers['Retry-After']) * 1000);
  }
}

const deploy = (...args: string[]) => cdk(account, 'deploy', '--all', '--require-approval', 'never', ...args);

async function describeStack(name: string) {
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: name }));
  return Stacks?.[0];
}

describe('the deployed stack', () => {
  test('cdk bootstrap', async () => {
    expect(await cdk(account, 'bootstrap')).toContain('bootstrapped');
  }, 900_000);

  test('cdk deploy', async () => {
    await deploy();
    const found = await Promise.all([stack, dataStackName('dev')].map(describeStack));
    expect(found.map((each) => each?.StackStatus)).toEqual(['CREATE_COMPLETE', 'CREATE_COMPLETE']);
    outputs = new Map(
      found
        .flatMap((each) => each?.Outputs ?? [])
        .map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
    expect(outputs.get('BaseUrl')).toMatch(/\/api\/v1$/);
    const names = tableVariables(stack);
    for (const [variable, name] of Object.entries(names))
      expect(outputs.get(outputName(variable))).toBe(name);
    runtime = createRuntime({ ...process.env, ...names });
  }, 900_000);

  test('cdk deploy again changes nothing', async () => {
    expect((await deploy()).match(/\(no changes\)/g)).toHaveLength(2);
  }, 900_000);

  test('npm run bootstrap makes the first key, and it works', async () => {
    const output = await run(account, process.execPath, [resolve('scripts/bootstrap.ts'), '--org', 'Acme']);
    const secret = /sk_live_\w+/.exec(output)?.[0] ?? '';
    const { call } = await openDeployed(secret, 'org');
    const me = await call('GET', '/api-keys/me');
    expect([me.status, me.data.name], me.text).toEqual([200, 'root']);
  }, 900_000);
});

describe('the API reference', () => {
  const get = (path: string, headers: Record<string, string> = {}) => fetchDeployed('GET', path, headers, '');

  test.each(['/docs', '/openapi.json'])('%s is sent again only when it has changed', async (path) => {
    const first = await get(path);
    expect([first.status, first.text.length > 500], first.text).toEqual([200, true]);
    expect(first.headers).toMatchObject({ 'Cache-Control': 'public, no-cache', Vary: 'Accept-Encoding' });
    const tag = first.headers.ETag ?? '';
    expect(tag).toMatch(/^W\/"/);
    const second = await get(path, { 'If-None-Match': `"other", ${tag}` });
    expect([second.status, second.text, second.headers.ETag]).toEqual([304, '', tag]);
    expect((await get(path, { 'If-None-Match': '"other"' })).text).toBe(first.text);
  });

  test('the files of the page are complete', async () => {
    const page = await get('/docs');
    expect(page.headers['Content-Security-Policy']).toContain("default-src 'none'");
    const files = [...page.text.matchAll(/\bdocs\/([\w-]+\.(?:js|css|txt))/g)].map(([, name = '']) => name);
    expect(files).toHaveLength(3);
    for (const name of files) {
      const file = await get(`/docs/${name}`);
      expect(file.headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
      expect(file.text).toBe(readFileSync(resolve(referenceFolder, name), 'utf8'));
    }
  });
});

describe('the downloads', () => {
  rehearseDownloads(() => ({
    forward: fetchDeployed,
    open: openDeployed,
    endpoint: account.endpoint,
    bucket: outputs.get('DownloadsBucket'),
  }));
});

/** MiniStack cannot call a function that streams: `rehearseDownloads` does. Events are streamed by test/lib/http/lambda only. */
const isStreamed = ({ raw }: Endpoint) => raw === 'bytes' || raw === 'events';
/** The stage lists no model, because nothing here would answer. test/contract.test.ts has these endpoints. */
const needsModel = ({ id }: Endpoint) => id.startsWith('replies.');
const called = endpoints.filter((endpoint) => !isStreamed(endpoint) && !needsModel(endpoint));
const shown = deployedContract(endpoints);
const shownNightly = nightlyContract(endpoints);

describe.each(called.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('returns the declared responses', async () => {
    const answer = await send(endpoint, await openDeployed());
    const schema = endpoint.responses[answer.status as 200];
    expect(schema, answer.text).toBeDefined();
    if (endpoint.raw !== 'text' && endpoint.raw !== 'message') {
      const data = endpoint.raw ? JSON.parse(answer.text) : answer.data;
      expect(schema?.parse(data)).toEqual(data);
    }
    expect(answer.headers).toMatchObject({
      'Cache-Control':
        endpoint.raw && endpoint.raw !== 'message' ? expect.stringMatching(/^public, /) : 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': expect.stringMatching(/\S/),
    });
  });

  const organisationFor = organisations(() => openDeployed());
  const rows = shown.get(endpoint) ?? [];
  for (const row of new Set([...rows, ...(shownNightly.get(endpoint) ?? [])])) {
    test(`${row.proves}: ${row.when}`, rows.includes(row) ? {} : { tags: ['nightly'] }, async () => {
      const answer = await row.act(endpoint, await organisationFor(row));
      expect(answer.error.code, answer.text).toBe(row.proves);
    });
  }

  if (endpoint.idempotent) {
    // The emulator starts a process for each request. What is the same in all endpoints shows in two of them: one responds
    // with a secret.
    const isShown = ['projects.create', 'api-keys.create'].includes(endpoint.id);
    const count = isShown ? 50 : 5;
    const options = isShown ? {} : { tags: ['nightly'] };
    test(`replays identical bytes, also to ${count} simultaneous requests`, options, async () => {
      const api = await openDeployed();
      const { path, body } = await sampleOf(endpoint.id, api);
      const request = { ...(body && { body }), idempotencyKey: 'again' };
      const answers = await Promise.all(
        Array.from({ length: count }, () => untilServed(() => api.call(endpoint.method, path, request))),
      );
      const different = new Set(answers.map(({ status, text }) => `${status} ${text}`));
      expect([...different]).toEqual([expect.stringMatching(/^2/)]);
    });
  }
});

test('a key is accepted only from its addresses, as the gateway sees them', async () => {
  const api = await openDeployed();
  const statusFrom = async (cidr: string) => {
    const { secret: key } = await api.createKey({ allowedCidrs: [cidr] });
    return (await api.call('GET', '/projects', { key })).status;
  };
  expect([await statusFrom('127.0.0.1/32'), await statusFrom('192.0.2.0/24')]).toEqual([200, 401]);
});

test('a revoked key is refused by every instance of a function', async () => {
  const api = await openDeployed();
  const { id, secret } = await api.createKey();
  const get = () => api.call('GET', '/projects', { key: secret });
  expect((await Promise.all(Array.from({ length: 10 }, get))).map(({ status }) => status)).toEqual(
    Array(10).fill(200),
  );
  await api.call('DELETE', `/api-keys/${id}`);
  expect((await Promise.all(Array.from({ length: 10 }, get))).map(({ status }) => status)).toEqual(
    Array(10).fill(401),
  );
});

// Deploys everything twice.
test('an upgrade during requests fails none of them, and a rollback restores the old code', {
  tags: ['nightly'],
  timeout: 1_200_000,
}, async () => {
  const api = await openDeployed();
  const id = await api.createProject();
  const statuses: number[] = [];
  let upgrading = true;
  const caller = async (number: number) => {
    for (let count = 0; upgrading; count += 1) {
      const ask = () =>
        count % 2 === 0
          ? api.call('GET', `/projects/${id}`)
          : api.call('POST', '/projects', { body: { name: 'p' }, idempotencyKey: `${number}-${count}` });
      let answer = await ask();
      // The emulator stops a function's process during the update, even in the middle of a request (502). AWS lets it
      // finish. And the emulator is one process: while it replaces 60 functions, its DynamoDB may respond too late (503).
      // Callers repeat both, as the contract says, and must succeed soon.
      for (let tries = 1; tries < 5 && [502, 503].includes(answer.status); tries += 1) {
        await sleep(1000);
        answer = await ask();
      }
      statuses.push(answer.status);
      // In total well below the stage's throttle.
      await sleep(50);
    }
  };
  const before = await codeHashes();
  const callers = Array.from({ length: 4 }, (_, number) => caller(number));
  const nextVersion = `"${process.execPath}" test/aws/next-version.ts`;
  const output = await deploy('--app', nextVersion);
  upgrading = false;
  await Promise.all(callers);
  expect(output).not.toContain(`${stack} (no changes)`);
  expect((await describeStack(stack))?.StackStatus).toBe('UPDATE_COMPLETE');
  expect(statuses.length).toBeGreaterThan(50);
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  expect(await codeHashes()).not.toEqual(before);

  // Roll back: deploy the previous release.
  await deploy();
  expect(await codeHashes()).toEqual(before);
  expect((await api.call('GET', `/projects/${id}`)).status).toBe(200);
});

/** @returns the code of each function of the stage */
async function codeHashes(): Promise<unknown> {
  const query = `sort_by(Functions[?starts_with(FunctionName, '${stack}-')], &FunctionName)[].[FunctionName, CodeSha256]`;
  const args = ['lambda', 'list-functions', '--query', query];
  return JSON.parse(await run(account, commandOf('aws'), args));
}

describe('bulk data', () => rehearseBulk(() => ({ open: openDeployed })));

let declareTimeout: () => void;
describe('the change feed', () => {
  declareTimeout = rehearseFeed(() => ({ account, open: openDeployed }));
});

describe('docs/runbook.md', () => rehearseRunbook(() => ({ account, open: openDeployed, callAt })));

describe('docs/restore.md', () => rehearseRestore(() => ({ account, open: openDeployed })));

describe('the change feed, meanwhile', () => declareTimeout());

test('cdk destroy removes everything', { tags: ['nightly'] }, async () => {
  await cdk(account, 'destroy', '--all', '--force');
  for (const name of [stack, dataStackName('dev')])
    await expect(describeStack(name)).rejects.toThrow('does not exist');
});
