/** `npm run upgrade` rewrites what earlier versions of the service have stored. */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import { type TableName, tableNames } from '../../lib/dynamodb/tables.ts';
import { modelCostDay, settleModelCost } from '../../lib/limits/store/model-cost.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { webhookBody } from '../../samples/samples.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import { localSettings, testTables } from '../../samples/tables.ts';
import { call } from '../../scripts/local/call.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { root } from '../../scripts/shared/root.ts';
import { upgradedTables } from '../../scripts/upgrade/rules.ts';
import { upgradeTable } from '../../scripts/upgrade.ts';
import auditWriter from '../../workers/audit-writer.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import eventWriter from '../../workers/event-writer.ts';
import { restoreAll } from '../support/restored.ts';
import { costs } from '../support/usage.ts';

/** @returns the service with tables of its own, which have the items of the organisation */
async function withOwnTables(api: TestApi): Promise<TestApi> {
  const nameOf = await restoreAll(api);
  const names = Object.fromEntries(tableNames.map((table) => [table, nameOf(table)]));
  return { ...api, runtime: { ...api.runtime, tableNames: names } };
}

async function upgradeAll({ runtime }: TestApi, tables: readonly TableName[] = upgradedTables) {
  const lines: string[] = [];
  let rewritten = 0;
  for (const table of tables) {
    const name = runtime.tableNames[table] ?? '';
    const counts = await upgradeTable(runtime.client, { table, name, note: (line) => lines.push(line) });
    rewritten += counts.rewritten;
  }
  return { rewritten, lines };
}

/** @returns the stored items by their table and key */
async function itemsOf(api: TestApi): Promise<Map<string, Json>> {
  const items = new Map<string, Json>();
  for (const table of tableNames)
    for (const item of await storedOf(api, table)) items.set(`${table} ${item.tenant} ${item.id}`, item);
  return items;
}

const tableOf = (key: string) => key.split(' ')[0] as TableName;

const without = (item: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** For each rule, an item of this version, and the item as an earlier version has stored it. */
const earlier: readonly { table: TableName; kind: RegExp; of: (item: Json) => Json }[] = [
  {
    table: 'apiKeys',
    kind: /#live key_/,
    of: (item) =>
      item.childrenRevocation
        ? { ...item, childrenRevocation: without(item.childrenRevocation as Json, 'webhookIds') }
        : item,
  },
  {
    table: 'projects',
    kind: /#live(#deleted)? proj_/,
    of: ({ settings, ...item }) => ({
      ...without(item, 'externalId', 'changedAs'),
      settings: without(settings as Json, 'retentionDays', 'searchFields', 'maxConversationCostUsd'),
    }),
  },
  { table: 'avatars', kind: /#proj_\w+ avtr_/, of: (item) => without(item, 'externalId') },
  { table: 'deployments', kind: /#proj_\w+ dep_/, of: (item) => without(item, 'changedAs') },
  { table: 'deployments', kind: /#environments /, of: (item) => without(item, 'changedAs') },
  { table: 'conversations', kind: /#proj_\w+ conv_/, of: (item) => without(item, 'externalId', 'dayUses') },
  {
    table: 'messages',
    kind: / 0000000001$/,
    of: ({ citations, ...item }) => ({
      ...item,
      citations: (citations as Json[]).map((one) => without(one, 'page')),
    }),
  },
  { table: 'messages', kind: / 0000000002$/, of: (item) => without(item, 'citations') },
  { table: 'conversationStats', kind: /#counted#/, of: (item) => without(item, 'deploymentId') },
  {
    table: 'knowledge',
    kind: /#proj_\w+ kdoc_/,
    of: (item) =>
      without(item, 'source', 'extraction', 'extractionError', 'fileSha256', 'ignored', 'dayUses'),
  },
  { table: 'knowledge', kind: /#sources src_/, of: (item) => ({ ...item, url: 'https:Acme.example' }) },
  {
    table: 'jobs',
    kind: /#proj_\w+ job_/,
    of: (item) => without({ ...item, result: item.result && without(item.result as Json, 'mode') }, 'after'),
  },
  { table: 'jobs', kind: /#uploads upl_/, of: (item) => without(item, 'purpose') },
  {
    table: 'limits',
    kind: /#usage [\d-]+#modelCostUsd$/,
    of: ({ ttl, ...item }) => ({ ...item, ttl: Number(ttl) - (398 * dayMs) / 1000 }),
  },
  {
    table: 'webhooks',
    kind: /#live whk_/,
    of: (item) => ({
      ...without(item, 'urlSetBy', 'contentSetBy', 'secretSetBy', 'scopes'),
      url: 'https:Acme.example/hooks/platform?token=pineapple',
    }),
  },
  { table: 'deliveries', kind: /#whk_\w+ dlv_/, of: (item) => without(item, 'scopes') },
  {
    table: 'audit',
    kind: /#live aud_/,
    of: ({ actor, changes, ...item }) => ({
      ...item,
      actor: without(actor as Json, 'subject'),
      changes: changes && {
        ...(changes as Json),
        after: {
          ...((changes as Json).after as Json),
          url: 'https://acme.example/hooks/platform?token=pineapple',
        },
      },
    }),
  },
];

/** @returns the API of an organisation with an item for each rule, and the paths that show them */
async function openStory() {
  const api = await openApi();
  const { runtime, organisationId } = api;
  const post = async (path: string, body: Json = {}) => {
    const { status, text, data } = await api.call('POST', path, { body });
    expect(status, text).toBeLessThan(300);
    return data;
  };
  const parent = await api.createKey();
  await api.call('DELETE', `/api-keys/${parent.id}?children=true`);
  const project = await api.createProject();
  const path = `/projects/${project}`;
  const deleted = await api.createProject();
  await api.call('DELETE', `/projects/${deleted}`);
  await post(`/projects/${deleted}/restore`);
  const persona = { language: 'en', greeting: 'Hello.', prompt: 'Help.' };
  const avatar = await post(`${path}/avatars`, { name: 'Ada', persona });
  for (const _ of [1, 2]) await post(`${path}/deployments`, { environment: 'production' });
  await post(`${path}/rollback`, { environment: 'production' });
  const conversation = await post(`${path}/conversations`, { avatarId: avatar.id });
  const document = await post(`${path}/knowledge/documents`, {
    title: 'Returns',
    content: 'Within 30 days.',
  });
  const messages = [
    { role: 'avatar', text: 'one', citations: [{ documentId: document.id }] },
    { role: 'user', text: 'two' },
  ];
  await post(`${path}/conversations/${conversation.id}/messages`, { messages });
  const source = await post(`${path}/knowledge/sources`, { type: 'url', url: 'https://acme.example/' });
  const job = await post(`${path}/knowledge/reindex`);
  await post(`${path}/uploads`, { bytes: 100 });
  const webhook = await post('/webhooks', { ...webhookBody, url: `${webhookBody.url}?token=pineapple` });
  await post(`/webhooks/${webhook.id}/test`);

  const ended = { indexVersion: 'v', changed: true, documents: 1, chunks: 1, mode: 'lexical' };
  await runtime.client.send(
    new UpdateCommand({
      TableName: runtime.tableNames.jobs,
      Key: { tenant: `${organisationId}#live#${project}`, id: job.id },
      UpdateExpression: 'SET #status = :status, #result = :result',
      ExpressionAttributeNames: { '#status': 'status', '#result': 'result' },
      ExpressionAttributeValues: { ':status': 'succeeded', ':result': ended },
    }),
  );
  const work = async (worker: typeof auditWriter, table: TableName) => {
    const records = (await storedOf(api, table)).map((item) => changeRecord(undefined, item));
    await deliverNotices(runtime, worker, noticesOf(worker, records, table));
  };
  await work(conversationCounter, 'conversations');
  await work(auditWriter, 'webhooks');
  const { store, write } = costs(api);
  await write(settleModelCost(store, 700, modelCostDay(runtime.nowMs())));
  const paths = [
    `/api-keys/${parent.id}`,
    path,
    `/projects/${deleted}`,
    `${path}/avatars/${avatar.id}`,
    `${path}/environments/production`,
    `${path}/conversations/${conversation.id}`,
    `${path}/conversations/${conversation.id}/transcript`,
    `${path}/knowledge/documents/${document.id}`,
    `${path}/knowledge/sources/${source.id}`,
    `${path}/jobs/${job.id}`,
    `/webhooks/${webhook.id}`,
    `/webhooks/${webhook.id}/deliveries`,
    '/audit-events',
    '/usage/days',
  ];
  return { api: await withOwnTables(api), paths, project: path, webhook, conversation };
}

/** Stores the items as an earlier version has stored them. @returns the keys of those that differ */
async function storeEarlier(api: TestApi): Promise<string[]> {
  const keys: string[] = [];
  for (const { table, kind, of } of earlier) {
    const found = (await storedOf(api, table)).filter(({ tenant, id }) => kind.test(`${tenant} ${id}`));
    expect(found, `${table} ${kind}`).not.toEqual([]);
    for (const item of found) {
      const Item = of(item);
      await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames[table], Item }));
      keys.push(`${table} ${item.tenant} ${item.id}`);
    }
  }
  return keys;
}

const show = async (api: TestApi, paths: readonly string[]) => {
  const routes = routesOf(api.runtime);
  const responses = await Promise.all(paths.map((path) => call(routes, 'GET', path, { key: api.rootKey })));
  return responses.map(({ status, data }, index) => ({ path: paths[index], status, data }));
};

test('each item of an earlier version becomes an item of this version, once, and is no change', async () => {
  const { api, paths, webhook } = await openStory();
  const [shown, now] = [await show(api, paths), await itemsOf(api)];
  expect(shown.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const keys = await storeEarlier(api);
  const before = await itemsOf(api);

  const { rewritten, lines } = await upgradeAll(api);
  expect(rewritten).toBeGreaterThan(earlier.length);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`without scopes  ${api.organisationId}#live  ${webhook.id}`);
  expect(lines[0]).not.toContain('pineapple');
  const after = await itemsOf(api);
  expect([...after.keys()].sort()).toEqual([...now.keys()].sort());
  for (const [key, item] of now) {
    const expected = { ...item };
    // What was stored is not counted again. The scopes are those that events needed before there were scopes.
    if ('dayUses' in item) expected.dayUses = expect.stringMatching(/^[\d-]{10}( 0)+$/);
    if (key.startsWith('webhooks') && 'scopes' in item)
      expected.scopes = expect.arrayContaining(['deploy:read']);
    expect(after.get(key), key).toEqual(expected);
  }

  const changed = keys.filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(now.get(key)));
  expect(new Set(changed.map(tableOf))).toEqual(new Set(upgradedTables));
  for (const key of keys) {
    for (const worker of [auditWriter, eventWriter])
      expect(noticesOf(worker, [changeRecord(before.get(key), after.get(key))], tableOf(key)), key).toEqual(
        [],
      );
  }
  const again = await show(api, paths);
  for (const [index, response] of again.entries()) {
    const { data } = shown[index] ?? {};
    const isWebhook = response.path === `/webhooks/${webhook.id}`;
    expect(response.data, response.path).toEqual(
      isWebhook ? { ...data, scopes: response.data.scopes } : data,
    );
  }

  expect(await upgradeAll(api)).toEqual({ rewritten: 0, lines: [] });
  expect(await itemsOf(api)).toEqual(after);
});

/** Calls `act` before the first rewrite of the client. */
function interrupted(api: TestApi, act: () => Promise<unknown>): TestApi {
  let isPending = true;
  const { client } = api.runtime;
  const send = async (command: Parameters<typeof client.send>[0]) => {
    if (isPending && command instanceof UpdateCommand) {
      isPending = false;
      await act();
    }
    return client.send(command);
  };
  return { ...api, runtime: { ...api.runtime, client: { ...client, send } as typeof client } };
}

async function openOldConversation() {
  const { api, conversation, project } = await openStory();
  await storeEarlier(api);
  const stored = async () =>
    (await storedOf(api, 'conversations')).find(
      ({ tenant, id }) => id === conversation.id && /#proj_\w+$/.test(`${tenant}`),
    );
  return { api, stored, path: `${project}/conversations/${conversation.id}` };
}

test('a concurrent change wins, and the rest of the item is completed', async () => {
  const { api, stored, path } = await openOldConversation();
  const routes = routesOf(api.runtime);
  const body = { messages: [{ role: 'user', text: 'three' }] };
  const options = { key: api.rootKey, body };
  const append = async () =>
    expect((await call(routes, 'POST', `${path}/messages`, options)).status).toBe(201);
  await upgradeAll(interrupted(api, append), ['conversations']);
  expect(await stored()).toMatchObject({
    externalId: null,
    messageCount: 3,
    dayUses: expect.stringMatching(/ 5 0 1$/),
  });
});

test('an item that is removed in the meantime stays removed', async () => {
  const { api, stored } = await openOldConversation();
  const item = await stored();
  const Key = { tenant: item?.tenant, id: item?.id };
  const TableName = api.runtime.tableNames.conversations;
  const remove = () => api.runtime.client.send(new DeleteCommand({ TableName, Key }));
  await upgradeAll(interrupted(api, remove), ['conversations']);
  expect(await stored()).toBeUndefined();
});

function run(...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const env = { ...process.env, ...localSettings(), ...testTables() };
    const command = [resolve(root, 'scripts/upgrade.ts'), ...args];
    execFile(process.execPath, command, { env, cwd: root }, (error, stdout, stderr) =>
      done({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });
}

test('the command rewrites a restored table, whose name it reads', async () => {
  const { runtime } = await openApi();
  for (const table of ['webhooks', 'idempotency'] as const) {
    const name = runtime.tableNames[table] ?? '';
    const { code, stdout, stderr } = await run('--table', name);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`${name}: \\d+ of \\d+ items rewritten\\n$`));
  }
});

test.each([[[]], [['--table', 'x']], [['--table', 'x-projects', '--stage', 'dev']]])(
  '%j is explained',
  async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Usage');
  },
);
