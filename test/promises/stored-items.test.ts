/**
 * Stored items have exactly the attributes that scripts/items/attributes.txt lists, and every worker uses exactly the table actions that it
 * declares: a session throws for undeclared actions. One story shows both.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { dayMs } from '../../lib/base/time.ts';
import { mergeAccess, tableNames } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { openApi, storedOf, toLoopback } from '../../samples/api.ts';
import { sampleOf, wideLimits } from '../../samples/samples.ts';
import { kinds, titleOf } from '../../scripts/items/kinds.ts';
import { deleteOrganisation } from '../../scripts/organisations/deletion.ts';
import { suspend } from '../../scripts/organisations/state.ts';
import { root } from '../../scripts/shared/root.ts';
import { upgradedTables } from '../../scripts/upgrade/rules.ts';
import { missingIn } from '../../scripts/upgrade.ts';
import { workers } from '../../workers/index.ts';
import { attributeList, exampleDocument, kindsOf, openRecord, recording } from '../support/items.ts';
import { runDue } from '../support/schedule.ts';
import { tellStory } from '../support/story.ts';
import { answering, openReceiver } from '../support/webhooks.ts';
import { follow } from '../support/workers.ts';

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

/** Query parameters that lead to further items. */
const queries: Readonly<Record<string, string>> = {
  'conversations.transcript': '?afterSeq=1&waitSeconds=1',
  'knowledge.documents.delete': '?expunge=true',
};

/** Sends the sample of each endpoint, and further requests that store items. */
async function requestAll(adjust: (runtime: Runtime) => Partial<Runtime>): Promise<void> {
  const api = await openApi((runtime) => ({
    limits: wideLimits,
    ...toLoopback(runtime),
    ...adjust(runtime),
  }));
  const followers = await follow(api, workers);
  // A delivery waits in the schedule.
  const receiver = await openReceiver();
  receiver.respond(answering(503, { 'Retry-After': '3600' }));
  await api.call('POST', '/webhooks', { body: { url: receiver.url, eventTypes: ['project.created'] } });
  const body = { url: receiver.url, eventTypes: ['project.deleted'] };
  const { data: removed } = await api.call('POST', '/webhooks', { body });
  await api.createProject();
  await followers.settled();
  await api.call('DELETE', `/webhooks/${removed.id}`);
  for (const { id, method } of endpoints) {
    const { path, body, key } = await sampleOf(id, api);
    await api.call(method, path + (queries[id] ?? ''), {
      ...(body && { body }),
      ...(key && { key }),
      ...(method === 'POST' && { idempotencyKey: id }),
      headers: { 'User-Agent': 'curl/8.14.1' },
    });
  }
  const content = { title: 'Returns', content: 'Within 30 days.', source: 'handbook', externalId: 'returns' };
  await api.call('POST', `/projects/${await api.createProject()}/knowledge/documents`, { body: content });
  // A refusal is noted.
  const { id, secret } = await api.createKey();
  await api.call('DELETE', `/api-keys/${id}`);
  await api.call('GET', '/projects', { key: secret });
  const { secret: key } = await api.createKey({
    rateLimit: { requests: 5, per: '1m' },
    allowedCidrs: ['0.0.0.0/0'],
  });
  await api.call('GET', '/projects', { key });
  await followers.settled();
  api.advance(8 * dayMs);
  await runDue(api, followers.sender);
  await followers.settled();
  await followers.stop();
  await receiver.close();
  for (const table of tableNames) await storedOf(api, table);
  await suspend(api.runtime, api.organisationId);
  // The deletion begins, and then waits.
  const deleting = { ...api.runtime, sleep: async () => void (await storedOf(api, 'organisations')) };
  await deleteOrganisation(deleting, { organisationId: api.organisationId, confirm: 'Test' });
}

describe('in the story', { tags: ['long'] }, () => {
  const { recorded, wrong, note } = openRecord();
  const adjust = ({ client }: Runtime) => ({ client: recording(client, note) });
  let used: Awaited<ReturnType<typeof tellStory>>['used'];

  beforeAll(async () => {
    ({ used } = await tellStory(adjust));
  });

  test('and by all requests, items of each kind are stored, with the attributes of scripts/items/attributes.txt and no others', async () => {
    await requestAll(adjust);
    expect(wrong).toEqual([]);
    expect(kinds.filter((kind) => !recorded.has(kind)).map(titleOf)).toEqual([]);
    mkdirSync(resolve(root, '.local'), { recursive: true });
    writeFileSync(resolve(root, '.local/items.md'), exampleDocument(recorded));
    const list = 'scripts/items/attributes.txt';
    await expect(attributeList(read(list), recorded)).toMatchFileSnapshot(resolve(root, list));
  });

  test('npm run upgrade has nothing to rewrite in them', () => {
    expect([...recorded.keys()].map(({ table }) => table)).toEqual(
      expect.arrayContaining([...upgradedTables]),
    );
    for (const [kind, items] of recorded)
      for (const item of items.values()) expect(missingIn(kind.table, item), titleOf(kind)).toEqual({});
  });

  test.each(workers.map((worker) => [worker.id, worker] as const))(
    '%s uses every table action that it declares',
    (id, { access }) => {
      expect(mergeAccess(...(used.get(id) ?? []))).toEqual(mergeAccess(access));
    },
  );
});

test('adding messages writes what docs/storage.md lists', async () => {
  const api = await openApi();
  const followers = await follow(api, workers);
  const { path, body } = await sampleOf('conversations.append', api);
  // Its first use is noted.
  const { secret } = await api.createKey({ scopes: ['conversations:write'] });
  const all = async () => {
    await followers.settled();
    const tables = await Promise.all(
      tableNames.map(async (table) =>
        ((await storedOf(api, table)) as Item[]).map((item) => ({ table, item, text: JSON.stringify(item) })),
      ),
    );
    return tables.flat();
  };
  const before = new Set((await all()).map(({ table, text }) => `${table} ${text}`));
  expect((await api.call('POST', path, { body, key: secret, idempotencyKey: 'key' })).status).toBe(201);
  const written = (await all()).filter(({ table, text }) => !before.has(`${table} ${text}`));
  await followers.stop();
  const changed = written.flatMap(({ table, item }) => kindsOf(table, item));
  const [, list = ''] = read('docs/storage.md').split('| table | item | how many | written by |');
  const [rows = ''] = list.split('\n\n');
  const listed = [...rows.matchAll(/^\| (\w+) \| [^|]*, `([^`]+)` `([^`]+)`/gm)].map(
    ([, table, tenant, id]) => `${table}: ${tenant} ${id}`,
  );
  expect([...new Set(changed.map(titleOf))].sort()).toEqual(listed.sort());
});
