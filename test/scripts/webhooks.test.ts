/** `npm run webhooks`, as an operator runs it. */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';
import { openApi } from '../support/api.ts';
import { webhookBody } from '../support/samples.ts';
import { localSettings, testTables } from '../support/tables.ts';

function run(...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const env = { ...process.env, ...localSettings(), ...testTables() };
    const command = [resolve(root, 'scripts/webhooks.ts'), ...args];
    execFile(process.execPath, command, { env, cwd: root }, (error, stdout, stderr) =>
      done({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });
}

test('lists the webhooks without scopes, without the query of their URL', async () => {
  const api = await openApi();
  const create = async () => {
    const body = { ...webhookBody, url: `${webhookBody.url}?token=pineapple` };
    return (await api.call('POST', '/webhooks', { body })).data;
  };
  const [old, other] = [await create(), await create()];
  const { client, tableNames } = api.runtime;
  await client.send(
    new UpdateCommand({
      TableName: tableNames.webhooks,
      Key: { tenant: `${api.organisationId}#live`, id: old.id },
      UpdateExpression: 'REMOVE #scopes',
      ExpressionAttributeNames: { '#scopes': 'scopes' },
    }),
  );
  const { code, stdout, stderr } = await run('--without-scopes');
  expect(code, stderr).toBe(0);
  const line = stdout.split('\n').find((one) => one.includes(`${old.id}`));
  expect(line).toBe(
    [
      `${api.organisationId}#live`,
      old.id,
      old.createdAt,
      old.createdBy,
      'conversation.ended,job.*',
      webhookBody.url,
    ].join('  '),
  );
  expect(stdout).not.toContain(`${other.id}`);
  expect(stdout).not.toContain('pineapple');
});

test.each([[[]], [['list']], [['--without-scopes', 'x']]])('%j is explained', async (args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Usage');
});
