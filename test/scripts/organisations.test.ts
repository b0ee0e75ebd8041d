/** `npm run organisations`, as an operator runs it. */
// @module-tag long

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openApi } from '../../samples/api.ts';
import { localSettings, testTables } from '../../samples/tables.ts';
import { root } from '../../scripts/shared/root.ts';

function organisations(...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const env = { ...process.env, ...localSettings(), ...testTables() };
    const command = [resolve(root, 'scripts/organisations.ts'), ...args];
    execFile(process.execPath, command, { env, cwd: root }, (error, stdout, stderr) =>
      done({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });
}

const lineOf = async (id: string) =>
  (await organisations('list')).stdout.split('\n').find((line) => line.startsWith(id));

test('creates an organisation, lists it, suspends and resumes it', async () => {
  const made = await organisations('create', 'Acme & Söhne', '--mode', 'test');
  expect(made.code, made.stderr).toBe(0);
  const id = /org_\w+/.exec(made.stderr)?.[0] ?? '';
  const key = made.stdout.trim();
  const { call } = await openApi();
  const status = async () => (await call('GET', '/api-keys/me', { key })).status;
  expect(await status()).toBe(200);
  expect(await lineOf(id)).toMatch(/^org_\w{26}\s+active\s+\d{4}-\S+Z\s+Acme & Söhne$/);

  expect((await organisations('suspend', id)).stdout).toContain('get 403');
  expect(await status()).toBe(403);
  expect((await organisations('suspend', id)).stdout).toContain('is suspended since');
  expect(await lineOf(id)).toMatch(/\ssuspended\s/);

  expect((await organisations('resume', id)).stdout).toContain('active again');
  expect(await status()).toBe(200);
  expect((await organisations('resume', id)).stdout).toContain('is active');
});

describe('a mistake is explained, and nothing is changed', () => {
  test.each([
    [[], 'Usage'],
    [['remove', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'], 'Usage'],
    [['suspend'], 'Usage'],
    [['suspend', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4F'], 'Usage'],
    [['suspend', 'Acme'], 'Acme is not the id of an organisation'],
    [['resume', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'], 'does not exist.'],
    [['create', ''], 'must not be empty'],
    [['create', 'org_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'], 'must not begin with org_'],
    [['create', 'Acme', '--mode', 'prod'], '--mode must be live or test'],
    [['list', '--organisation', 'Acme'], 'Usage'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await organisations(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });
});
