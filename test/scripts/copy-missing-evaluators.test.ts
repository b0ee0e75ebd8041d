/** Evaluators after a restore, and the scores of erased conversations. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { storedOf } from '../../samples/api.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import { copyAll, replaceAll, restoreAll } from '../support/restored.ts';
import { openEvaluators, ratingBody } from '../support/scores.ts';
import { handleAll } from '../support/suspensions.ts';

test('a lost evaluator comes back paused until somebody resumes it', async () => {
  const { api, create, send } = await openEvaluators();
  const { id } = await create();
  const restored = await restoreAll(api);
  for (const { tenant, id } of await storedOf(api, 'conversations')) {
    const TableName = api.runtime.tableNames.conversations;
    await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
  }
  await copyAll(api, restored);
  expect((await send('GET', `/evaluators/${id}`)).data).toMatchObject({
    paused: true,
    pausedReason: 'restored',
  });
  const { data } = await send('PATCH', `/evaluators/${id}`, { paused: false });
  expect(data).toMatchObject({ paused: false, pausedReason: null });
});

test('an evaluator that was paused with a key stays paused', async () => {
  const { api, call, create, createKey, project } = await openEvaluators();
  const { id, secret: key } = await createKey({ scopes: ['conversations:write'] });
  const first = await create(undefined, { key });
  const restored = await restoreAll(api);
  const later = await create(ratingBody, { key });
  await call('DELETE', `/api-keys/${id}?children=true`);
  await handleAll(api, keyRevoker, 'apiKeys', (one) => one.id === id);
  const replaced = await replaceAll(api, restored);
  for (const one of [first, later]) {
    const path = `${project}/evaluators/${one.id}`;
    expect((await replaced.get(path)).data).toMatchObject({ paused: true, pausedReason: 'key_revoked' });
    expect((await replaced.get(`${path}/versions/2`)).data).toMatchObject({ paused: true });
  }
  const stored = await storedOf(replaced, 'conversations');
  expect(stored.find((item) => item.id === 'evaluators')).toMatchObject({ count: 2 });
  const setters = stored.filter(({ tenant }) => `${tenant}`.includes('#setters#'));
  expect(setters.map((item) => item.id).sort()).toEqual([first.id, later.id].sort());
  expect((await replaced.get(`${project}/conversations?score=csat:exists`)).status).toBe(200);
});

test('the scores of an erased conversation do not come back', async () => {
  const { api, converse, create, send } = await openEvaluators();
  await create(ratingBody);
  const path = await converse();
  await send('PUT', `${path}/scores/csat`, { value: 4 });
  const restored = await restoreAll(api);
  await send('DELETE', path);
  const scored = async () =>
    (await storedOf(api, 'conversations')).filter(({ tenant }) => /#(scored|scores|by)/.test(`${tenant}`));
  for (const { tenant, id } of await scored()) {
    const TableName = api.runtime.tableNames.conversations;
    await api.runtime.client.send(new DeleteCommand({ TableName, Key: { tenant, id } }));
  }
  await copyAll(api, restored);
  expect(await scored()).toEqual([]);
});
