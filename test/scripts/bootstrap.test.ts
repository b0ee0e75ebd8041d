/** `npm run bootstrap`, as an operator runs it. */

import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { outputName, tables } from '../../lib/dynamodb/tables.ts';
import { rootScopes } from '../../lib/scopes.ts';
import { openApi } from '../support/api.ts';
import { localSettings, testTables } from '../support/tables.ts';

const root = resolve(import.meta.dirname, '../..');

function bootstrap(args: string[], env: NodeJS.ProcessEnv = testTables()) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const environment = {
      ...process.env,
      ...localSettings(),
      ...env,
    };
    const command = [resolve(root, 'scripts/bootstrap.ts'), ...args];
    execFile(process.execPath, command, { env: environment, cwd: root }, (error, stdout, stderr) =>
      done({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });
}

test('makes an organisation and its root key, and prints only the key on standard output', async () => {
  const { code, stdout, stderr } = await bootstrap(['--org', 'Acme & Söhne']);
  expect([code, stderr.split('\n')[0]]).toEqual([0, expect.stringMatching(/^Organisation {2}org_/)]);
  const key = stdout.trim();
  const { call } = await openApi();
  const me = await call('GET', '/api-keys/me', { key });
  expect(me.data).toMatchObject({
    name: 'root',
    mode: 'live',
    scopes: rootScopes,
    expiresAt: null,
    createdBy: 'bootstrap',
  });
  expect(stderr).not.toContain(key);
});

test('makes another root key for test data of the same organisation', async () => {
  const { organisationId, call } = await openApi();
  const { stdout } = await bootstrap(['--org-id', organisationId, '--mode', 'test']);
  const { data } = await call('GET', '/api-keys/me', { key: stdout.trim() });
  expect(data.mode).toBe('test');
});

describe('invalid arguments are reported, and nothing is created', () => {
  test.each([
    [[], 'Usage'],
    [['--org', 'a', '--org-id', 'b'], 'Usage'],
    [['--org', ''], 'must not be empty'],
    [['--org', 'a\nb'], 'control characters'],
    [['--org', 'a', '--mode', 'prod'], '--mode must be live or test'],
    [['--organisation', 'a'], 'Usage'],
    [['--org-id', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'], 'does not exist.'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await bootstrap(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });
});

describe('the tables of a deployed stack', () => {
  let server: Server;
  let asked = '';

  /** CloudFormation's response to DescribeStacks (AWS CloudFormation API Reference), for one stack. */
  beforeAll(async () => {
    const names = testTables();
    const outputs = Object.values(tables)
      .map(
        ({ variable }) =>
          `<member><OutputKey>${outputName(variable)}</OutputKey><OutputValue>${names[variable]}</OutputValue></member>`,
      )
      .join('');
    server = createServer((request, response) => {
      request.on('data', (chunk) => {
        asked += chunk;
      });
      request.on('end', () =>
        response.end(
          `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>x</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
        ),
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => server.close());

  test('are found by its outputs', async () => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await bootstrap(['--org', 'Acme', '--stage', 'prod'], {
      AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining('org_')]);
    expect(stdout).toMatch(/^sk_live_/);
    expect(asked).toContain('StackName=PlatformApi-prod');
  });
});

describe('missing or wrong AWS settings are reported in one sentence, without a stack trace', () => {
  /** The environment of a machine without AWS settings, network and instance role. */
  const bare = {
    HOME: '/nonexistent',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_DYNAMODB: undefined,
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
    AWS_REGION: undefined,
    AWS_DEFAULT_REGION: undefined,
  };
  const region = { AWS_REGION: 'eu-central-1' };
  const credentials = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  let server: Server;
  let endpoint: string;

  /** CloudFormation's response for a missing stack. */
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.statusCode = 400;
      response.end(
        '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id PlatformApi-dev does not exist</Message></Error></ErrorResponse>',
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
    ['no region', () => credentials, /^No AWS region is set\. Set AWS_REGION/],
    ['no credentials', () => region, /^No AWS credentials were found\. Set AWS_PROFILE/],
    [
      'no stack',
      () => ({ ...region, ...credentials, AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint }),
      /^The stack PlatformApi-dev does not exist in eu-central-1\. Deploy it first/,
    ],
    [
      'no table',
      () => ({
        ...region,
        ...credentials,
        AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
        ORGANISATIONS_TABLE: 'none',
        API_KEYS_TABLE: 'none',
      }),
      /^The table does not exist in this account and region/,
    ],
    [
      'nobody there',
      () => ({ ...region, ...credentials, AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1' }),
      /^AWS cannot be reached: /,
    ],
  ])('%s', async (_, env, sentence) => {
    const { code, stdout, stderr } = await bootstrap(['--org', 'Acme'], { ...bare, ...env() });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
