/** Stored items have exactly the attributes that the types and the documents say. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { dayMs } from '../../lib/base/time.ts';
import { tracedAt } from '../../lib/dynamodb/resources.ts';
import { type TableName, tableNames } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { anchorOf, kinds, titleOf } from '../../scripts/items/document.ts';
import { isOfKind, type Kind } from '../../scripts/items/kind.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';
import { openApi, storedOf, toLoopback } from '../support/api.ts';
import { intercept } from '../support/faults.ts';
import { sampleOf, wideLimits } from '../support/samples.ts';
import { runDue } from '../support/schedule.ts';
import { answering, openReceiver } from '../support/webhooks.ts';
import { follow } from '../support/workers.ts';

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

/** On every stamped item whose last change had to wait. */
const stampOfRaces = 'changedAfterMs';
/** On a resource or a traced helper that a request has changed last, and no worker. The first one only if the request states an event. */
const stampsOfRequests = ['changedAs', 'changedFrom', 'changedUsing', 'changedRequest'];

/** What no request of the samples leads to. */
const unmet: readonly string[] = [
  // Only a deletion of an organisation writes it: copy-missing-deletions.test.ts.
  'organisations deleted SHA-256 of its id',
  // Only a project with more conversations has one.
  'conversations org_…#live#proj_…#retention rewritten',
  'knowledge org_…#live#proj_…#external SHA-256 of an externalId, SHA-256 of a source',
  'knowledgeIndexes org_…#live#proj_…#expunged job_…',
  // Only while an organisation is suspended: suspended-jobs.test.ts and suspended-deliveries.test.ts.
  'schedule org_…#live#waiting 9999999999999#webhook-sender#org_…#live#whk_…#dlv_…',
  'schedule org_…#live#waiting 9999999999999#knowledge-indexer#org_…#live#proj_…#job_…',
  'schedule org_…#live#proj_… knowledge-indexer#job_…',
];

/** What only a query parameter leads to. */
const queries: Readonly<Record<string, string>> = {
  'conversations.transcript': '?afterSeq=1&waitSeconds=1',
  'knowledge.documents.delete': '?expunge=true',
};

const nameOf = ({ table, tenantText, idText }: Kind) => `${table} ${tenantText} ${idText}`;

/** @returns who changed the item last: `key_`, or a worker */
const writerOf = ({ changedBy }: Item): string => `${changedBy}`.replace(/_\w+$/, '_');

/** @returns how the item differs from its kind, if it does */
function difference({ table, example, optional }: Kind, item: Item): string[] {
  const optionalStamps = [
    stampOfRaces,
    ...('changedThrough' in example ? stampsOfRequests : []),
    ...(tracedAt(table, example) ? ['changedThrough', ...stampsOfRequests] : []),
  ];
  const unknown = Object.keys(item).filter((name) => !(name in example) && !optionalStamps.includes(name));
  const absent = [...optional, ...optionalStamps];
  const missing = Object.keys(example).filter((name) => !(name in item) && !absent.includes(name));
  return [...unknown.map((name) => `unknown: ${name}`), ...missing.map((name) => `missing: ${name}`)];
}

type Stored = { table: TableName; item: Item };
type Put = { TableName?: string; Item?: Item };
type Input = Put & {
  TransactItems?: { Put?: Put }[];
  RequestItems?: Record<string, { PutRequest?: { Item: Item } }[]>;
};

/** @returns the items that a command puts: some are gone before the end */
function puts({ TransactItems = [], RequestItems = {}, ...put }: Input): Stored[] {
  const batches = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    Array.isArray(requests) ? requests.map(({ PutRequest }) => ({ TableName, ...PutRequest })) : [],
  );
  return [put, ...TransactItems.map(({ Put }) => Put ?? {}), ...batches].flatMap(({ TableName, Item }) =>
    Item ? [{ table: TableName?.split('-').at(-1) as TableName, item: Item }] : [],
  );
}

describe('the items that all endpoints and workers store', { tags: ['long'] }, () => {
  test('are of a declared kind, each with all of its attributes and no others', async () => {
    const written: Stored[] = [];
    const api = await openApi((runtime) => ({
      client: intercept(runtime.client, ({ input }) => void written.push(...puts(input as Input))),
      limits: wideLimits,
      ...toLoopback(runtime),
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
      });
    }
    // A refusal is noted.
    const { id, secret } = await api.createKey();
    await api.call('DELETE', `/api-keys/${id}`);
    await api.call('GET', '/projects', { key: secret });
    const { secret: key } = await api.createKey({ rateLimit: { requests: 5, per: '1m' } });
    await api.call('GET', '/projects', { key });
    await followers.settled();
    api.advance(8 * dayMs);
    await runDue(api, followers.sender);
    await followers.settled();
    await followers.stop();
    await receiver.close();
    for (const table of tableNames) {
      const items = (await storedOf(api, table)) as Item[];
      written.push(...items.map((item) => ({ table, item })));
    }
    const met = new Map<Kind, Set<string>>();
    const wrong: string[] = [];
    for (const { table, item } of written) {
      const kind = kinds.find((candidate) => isOfKind(candidate, table, item));
      if (!kind) {
        wrong.push(`${table} ${item.tenant} ${item.id}: of no kind`);
        continue;
      }
      met.set(kind, (met.get(kind) ?? new Set()).add(writerOf(item)));
      wrong.push(...difference(kind, item).map((how) => `${nameOf(kind)}: ${how}`));
    }
    expect([...new Set(wrong)]).toEqual([]);
    expect(kinds.filter((kind) => !met.has(kind)).map(nameOf)).toEqual(unmet);
    const shownWrong = [...met]
      .filter(([{ example }, writers]) => !writers.has(writerOf(example)))
      .map(([kind, writers]) => `${nameOf(kind)} is written by ${[...writers].join(', ')}`);
    expect(shownWrong).toEqual([]);
  });
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
  const changed = written.map(({ table, item }) => kinds.find((kind) => isOfKind(kind, table, item)) as Kind);
  const [, list = ''] = read('docs/storage.md').split('| table | item | how many | written by |');
  const [rows = ''] = list.split('\n\n');
  const listed = [...rows.matchAll(/\(items\.md#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect([...new Set(changed.map((kind) => anchorOf(titleOf(kind))))].sort()).toEqual(listed.sort());
});
