/** `npm run replay` repeats the changes of a table for its workers. */

import { expect, test } from 'vitest';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import { replay } from '../../scripts/replay.ts';
import auditWriter from '../../workers/audit-writer.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import messageIndexer from '../../workers/message-indexer.ts';
import retentionRewriter from '../../workers/retention-rewriter.ts';

/** @returns the notices of the API's organisation, which the workers also get */
async function replayed(api: TestApi, worker: Worker, sinceMs: number): Promise<Notice[]> {
  const notices: Notice[] = [];
  const { client, tableNames } = api.runtime;
  const table = worker.sources[0] as TableName;
  const wanted = { table, name: tableNames[table] ?? '', sinceMs, workers: [worker] };
  await replay(client, wanted, async (_, sent) => {
    notices.push(...sent.filter(({ tenant }) => tenant.startsWith(api.organisationId)));
  });
  await deliverNotices(api.runtime, worker, notices);
  return notices;
}

test('a worker that was broken makes up for what it has missed', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const list = `/projects/${project}/conversations`;
  for (const text of ['one word', 'two words']) {
    const path = await api.createConversation({}, project);
    await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text }] } });
  }
  expect((await api.call('GET', `${list}/stats`)).data.totals).toMatchObject({ conversations: 0 });
  await replayed(api, conversationCounter, 0);
  await replayed(api, messageIndexer, 0);
  expect((await api.call('GET', `${list}/stats`)).data.totals).toMatchObject({
    conversations: 2,
    messages: 2,
  });
  expect((await api.call('GET', `${list}/search?q=word`)).data.items).toHaveLength(1);
});

test('only items that have changed since the time are sent, each with the keys that the stream has', async () => {
  const api = await openApi();
  const old = await api.createConversation();
  api.advance(60_000);
  const sinceMs = api.runtime.nowMs();
  api.advance(60_000);
  const fresh = await api.createConversation();
  const [, , project = '', , id = ''] = fresh.split('/');
  const notices = await replayed(api, conversationCounter, sinceMs);
  const [stored] = (await storedOf(api, 'conversations')).filter((item) => item.id === id);
  expect(notices).toEqual([
    {
      table: 'conversations',
      kind: 'INSERT',
      tenant: `${api.organisationId}#live`,
      partition: [project],
      id,
      atMs: expect.any(Number),
      changedBy: stored?.changedBy,
      changedIn: stored?.changedIn,
      sequence: '',
    },
  ]);
  expect(JSON.stringify(notices)).not.toContain(old.split('/').at(-1));
});

test('a worker that compares two states gets every item, because the previous state is unknown', async () => {
  const api = await openApi(() => ({ sleep: async () => {} }));
  const project = await api.createProject({ settings: { retentionDays: 10 } });
  // Requests that have read the project before the change have ended.
  api.advance(60_000);
  const notices = await replayed(api, retentionRewriter, 0);
  expect(notices).toMatchObject([{ kind: 'MODIFY', id: project }]);
});

test('the changes of an organisation go to its live tenant, as from the stream', async () => {
  const api = await openApi();
  const { client, tableNames } = api.runtime;
  const name = tableNames.organisations ?? '';
  const wanted = { table: 'organisations', name, sinceMs: 0, workers: [auditWriter] } as const;
  const notices: Notice[] = [];
  await replay(client, wanted, async (_, sent) => {
    notices.push(...sent.filter(({ id }) => id === api.organisationId));
  });
  expect(notices).toMatchObject([{ tenant: `${api.organisationId}#live`, partition: [] }]);
});
