/** `npm run bootstrap`, as an operator runs it. */
// @module-tag long

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { rootScopes } from '../../lib/base/scopes.ts';
import { openApi } from '../../samples/api.ts';
import { localSettings, testTables } from '../../samples/tables.ts';

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
  const { stdout } = await bootstrap(['--org', organisationId, '--new-root-key', '--mode', 'test']);
  const { data } = await call('GET', '/api-keys/me', { key: stdout.trim() });
  expect(data.mode).toBe('test');
});

test('a new root key has all current scopes; an older one keeps those that it was made with', async () => {
  const { organisationId, rootKey, runtime, call } = await openApi();
  const { data: old } = await call('GET', '/api-keys/me');
  const scopes = rootScopes.slice(1);
  await runtime.client.send(
    new UpdateCommand({
      TableName: runtime.tableNames.apiKeys,
      Key: { tenant: `${organisationId}#live`, id: old.id },
      UpdateExpression: 'SET scopes = :scopes',
      ExpressionAttributeValues: { ':scopes': scopes },
    }),
  );
  const { stdout } = await bootstrap(['--org', organisationId, '--new-root-key']);
  const scopesOf = async (key: string) => (await call('GET', '/api-keys/me', { key })).data.scopes;
  expect(await scopesOf(stdout.trim())).toEqual(rootScopes);
  expect(await scopesOf(rootKey)).toEqual(scopes);
});

test.each([
  ['suspended', { suspendedAt: '2026-03-01T09:30:00.000Z' }],
  ['being deleted', { suspendedAt: '2026-03-01T09:30:00.000Z', deletionBeganAt: '2026-03-02T09:30:00.000Z' }],
])('an organisation that is %s gets no root key', async (status, attributes) => {
  const { organisationId: id, runtime } = await openApi();
  const item = { tenant: id, id, name: 'Test', createdAt: '2026-02-01T09:30:00.000Z', ...attributes };
  await runtime.client.send(new PutCommand({ TableName: runtime.tableNames.organisations, Item: item }));
  const { code, stdout, stderr } = await bootstrap(['--org', id, '--new-root-key']);
  expect([code, stdout, stderr.trim()]).toEqual([1, '', `The organisation ${id} is ${status}.`]);
});

describe('invalid arguments are reported, and nothing is created', () => {
  test.each([
    [[], 'Usage'],
    [['--new-root-key'], 'Usage'],
    [['--org', 'a', '--org-id', 'b'], 'Usage'],
    [['--org-id', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'], 'does not exist.'],
    [['--org', ''], 'must not be empty'],
    [['--org', 'a\nb'], 'control characters'],
    [['--org', 'a', '--mode', 'prod'], '--mode must be live or test'],
    [['--organisation', 'a'], 'Usage'],
    [['--org', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', '--new-root-key'], 'does not exist.'],
    [['--org', 'Acme', '--new-root-key'], 'needs the id of an organisation'],
    [['--org', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'], 'is an id'],
    [['--org', 'org_acme'], 'must not begin with org_'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await bootstrap(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
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

  test.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
    ['no region', () => credentials, /^No AWS region is set\. Set AWS_REGION/],
    ['no credentials', () => region, /^No AWS credentials were found\. Set AWS_PROFILE/],
    [
      'no stage',
      () => ({ ...region, ...credentials, AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint') }),
      /^There is no table PlatformApi-prod-organisations in this account and region\. Deploy the stage first/,
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
      /^There is no table none in this account and region/,
    ],
    [
      'nobody there',
      () => ({ ...region, ...credentials, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' }),
      /^AWS cannot be reached: /,
    ],
  ])('%s', async (_, env, sentence) => {
    const { code, stdout, stderr } = await bootstrap(['--org', 'Acme', '--stage', 'prod'], {
      ...bare,
      ...env(),
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
