/**
 * The streams say who changed which resource, through what, in which call and from where. Every endpoint and every worker
 * runs, and the changes of items are read from the streams.
 */

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { loggedOf } from '../../lib/audit/store/fields.ts';
import { dayMs } from '../../lib/base/time.ts';
import { type ResourceChange, resourceChanges, tracedChange } from '../../lib/dynamodb/resource-changes.ts';
import { gonePlace, type Resource, resourceAt } from '../../lib/dynamodb/resources.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import { type EventFamily, familyOf } from '../../lib/events/types.ts';
import { type Json, openApi, type TestApi } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';
import type { Feed } from '../../scripts/local/feed.ts';
import { workers } from '../../workers/index.ts';
import { allEvents } from '../support/events.ts';
import { fill } from '../support/purges.ts';
import { runDue } from '../support/schedule.ts';
import { allChanges, openAllStreams } from '../support/stream-reader.ts';
import { follow } from '../support/workers.ts';

const sourceIp = '198.51.100.23';
const headers = { 'User-Agent': 'story/1.0' };

/** Where the resources of events are. */
const tableOf: Readonly<Record<EventFamily, TableName>> = {
  project: 'projects',
  api_key: 'apiKeys',
  workload_identity: 'apiKeys',
  avatar: 'avatars',
  document: 'knowledge',
  source: 'knowledge',
  job: 'jobs',
  deployment: 'deployments',
  environment: 'deployments',
  rollout: 'deployments',
  conversation: 'conversations',
  evaluator: 'conversations',
  webhook: 'webhooks',
};

/** By endpoint that causes events: the tables of their resources. */
const causing = Object.fromEntries(
  endpoints.flatMap(({ id, causes }) =>
    causes.length === 0 ? [] : [[id, [...new Set(causes.map((type) => tableOf[familyOf(type)]))].sort()]],
  ),
);

/** The requests that change items, with the changed items. */
const changedBy: Readonly<Record<string, readonly string[]>> = {
  ...causing,
  // Helpers that are traced. No event is about them.
  'uploads.create': ['jobs'],
  // It takes an upload.
  'knowledge.documents.create': ['jobs', 'knowledge'],
  'webhooks.deliveries.redeliver': ['deliveries'],
  'webhooks.test': ['deliveries'],
  'script:bootstrap': ['apiKeys', 'organisations'],
  'worker:reply-runner': ['conversations'],
  'worker:webhook-keeper': ['webhooks'],
  // Its receivers do not exist, so it disables some.
  'worker:webhook-sender': ['webhooks'],
  'worker:key-limiter': ['apiKeys'],
  'worker:key-revoker': ['apiKeys'],
  'worker:conversation-sweeper': ['conversations'],
  'worker:conversation-reindexer': ['jobs'],
  'worker:project-purger': ['projects'],
  'worker:knowledge-extractor': ['knowledge'],
  'worker:knowledge-indexer': ['deployments', 'jobs', 'knowledge'],
  'worker:environment-remover': ['deployments'],
  'worker:source-refresher': ['jobs', 'knowledge'],
  // The steps of its samples are held for an hour.
  'worker:rollout-mover': ['deployments'],
  'worker:retention-rewriter': ['conversations'],
  'worker:user-eraser': ['conversations', 'jobs'],
  'worker:evaluation-runner': ['jobs'],
  'worker:exporter': ['jobs'],
  'worker:importer': ['jobs'],
};

/** A rollout whose hold is over moves with the first notice: its timer's, or that of a conversation which the counter has counted. */
const mayChange: readonly string[] = ['worker:conversation-counter: deployments'];

let all: Awaited<ReturnType<typeof allChanges>>;
let found: ResourceChange[];
let purged: string;
let events: Json[];

/** Expunges a document that a deployment serves. */
async function expungeDeployed(api: TestApi, settled: () => Promise<void>): Promise<void> {
  const project = `/projects/${await api.createProject()}`;
  const documents = `${project}/knowledge/documents`;
  const body = { title: 'Returns', content: 'Within 30 days.' };
  const { data } = await api.call('POST', documents, { body, sourceIp });
  await api.call('POST', `${project}/knowledge/reindex`, { sourceIp });
  await settled();
  await api.call('POST', `${project}/deployments`, { body: { environment: 'production' }, sourceIp });
  await api.call('DELETE', `${documents}/${data.id}?expunge=true`, { sourceIp });
  await settled();
}

/** Limits a key and the key that it created, and revokes them. */
async function revokeFamily(api: TestApi, settled: Feed['settled']): Promise<void> {
  const { id, secret } = await api.createKey({ scopes: ['api-keys:write'] });
  await api.call('POST', '/api-keys', {
    key: secret,
    body: { name: 'k', scopes: ['api-keys:read'] },
    sourceIp,
  });
  const body = { rateLimit: { requests: 100, per: '1s' } };
  await api.call('PATCH', `/api-keys/${id}`, { body, sourceIp });
  await settled();
  await api.call('DELETE', `/api-keys/${id}?children=true`, { sourceIp });
}

/** Each event that follows would be sent to all of them, again and again. */
async function keepOneWebhook(api: TestApi): Promise<void> {
  const { data } = await api.call('GET', '/webhooks?limit=100');
  const others = (data.items as Json[]).filter(({ eventTypes }) => !isDeepStrictEqual(eventTypes, ['*']));
  expect(others.length).toBe((data.items as Json[]).length - 1);
  for (const { id } of others) await api.call('DELETE', `/webhooks/${id}`, { sourceIp });
}

/** Runs every endpoint and every worker. */
async function tellStory(api: TestApi, { settled, sender }: Feed): Promise<void> {
  for (const { id, method } of endpoints) {
    const { path, body, key } = await sampleOf(id, api);
    const query = id === 'knowledge.documents.delete' ? '?expunge=true' : '';
    await api.call(method, path + query, { ...(body && { body }), ...(key && { key }), sourceIp, headers });
  }
  await keepOneWebhook(api);
  await expungeDeployed(api, settled);
  await revokeFamily(api, settled);
  purged = await fill(api, { documents: 2, conversations: 4, byStreams: true });
  await api.call('PATCH', `/projects/${purged}`, { body: { settings: { retentionDays: 60 } }, sourceIp });
  await settled();
  await api.createConversation();
  await settled();
  api.advance(dayMs);
  await runDue(api, sender);
  await settled();
  await api.call('DELETE', `/projects/${purged}`, { sourceIp });
  await settled();
  api.advance(8 * dayMs);
  await runDue(api, sender);
  await settled();
}

beforeAll(async () => {
  await openAllStreams();
  const api = await openApi(() => ({ sleep: async () => {} }));
  const feed = await follow(api, workers);
  await tellStory(api, feed);
  await feed.stop();
  events = await allEvents(api);
  all = await allChanges(api.runtime.tableNames);
  found = [...resourceChanges(all), ...all.flatMap((change) => tracedChange(change) ?? [])];
});

/** @returns whether the resource is below a purged project: the record of the purge says who removed it */
const isPurged = ({ home }: Resource) => home.endsWith(`#${purged}`);

/** Whether the audit log must have it: all but what a worker keeps up to date. */
function isLogged({ table, id, before, after, changedThrough = '' }: ResourceChange): boolean {
  // The feed may have started after it.
  if (changedThrough === 'script:bootstrap') return false;
  const { values = [], names = [], fields = (item: Item) => item } = loggedOf(table, id) ?? {};
  if (!changedThrough.startsWith('worker:') || !before || !after) return true;
  const [old, now] = [fields(before), fields(after)];
  return [...values, ...names].some((name) => !isDeepStrictEqual(old[name] ?? null, now[name] ?? null));
}

/** The id of the resource that the change is about. */
const subjectOf = ({ table, id, after }: ResourceChange): string =>
  (after && loggedOf(table, id)?.owner?.(after)) ?? id;

describe('the audit log', { tags: ['long'] }, () => {
  test('has an event of every endpoint that changes something', () => {
    const actions = new Set(
      events.filter(({ outcome }) => outcome === 'succeeded').map(({ action }) => action),
    );
    const missing = endpoints.filter(({ method, id }) => method !== 'GET' && !actions.has(id));
    // They store nothing but an idempotency record.
    expect(missing.map(({ id }) => id)).toEqual(['mcp.post', 'knowledge.evaluate']);
  });

  test('has one event for each change of a resource, and no others', () => {
    const logged = events
      .filter(({ outcome, action }) => outcome === 'succeeded' && action !== 'script:bootstrap')
      .map(({ action, callId, resource }) => `${action} ${callId} ${(resource as Json).id}`);
    const expected = found
      .filter(isLogged)
      .map((change) => `${change.changedThrough} ${change.changedIn} ${subjectOf(change)}`);
    expect(logged.length).toBeGreaterThan(100);
    expect(logged.toSorted()).toEqual(expected.toSorted());
  });

  test('says that workers are workers, and that a purge is one event', () => {
    const byWorker = events.filter(({ actor }) => (actor as Json).kind === 'worker');
    for (const { action, actor, origin } of byWorker) {
      expect(action).toBe((actor as Json).id);
      expect(origin).toBeNull();
    }
    const purges = byWorker.filter(({ action }) => action === 'worker:project-purger');
    expect(purges.filter(({ projectId }) => projectId === purged)).toHaveLength(1);
  });
});

describe('in the streams of all tables', { tags: ['long'] }, () => {
  test('each removed resource was moved, or has a tombstone, by a later call', () => {
    const missing = all.flatMap(({ table, before, after }) => {
      const resource = before && !after ? resourceAt(table, before) : undefined;
      if (!before || !resource || resource.place === gonePlace || isPurged(resource)) return [];
      const { home, id } = resource;
      const isSaid = found.some(
        (change) =>
          change.table === table &&
          change.home === home &&
          change.id === id &&
          change.changedIn > `${before.changedIn}`,
      );
      return isSaid ? [] : [`${table} ${before.tenant} ${before.id}`];
    });
    expect(missing).toEqual([]);
  });

  test('each put or updated resource has new stamps, or only its last use was noted', () => {
    const unstamped = all.flatMap(({ table, before, after }) => {
      if (!after || !resourceAt(table, after) || before?.changedIn !== after.changedIn) return [];
      const names = Object.keys({ ...before, ...after });
      const differing = names.filter((name) => !isDeepStrictEqual(before?.[name], after[name]));
      return differing.map((name) => `${table} ${name}`);
    });
    expect([...new Set(unstamped)]).toEqual(['apiKeys lastUsedAt', 'apiKeys lastUsedFrom']);
  });

  test('each change of a resource says who, through what, in which call, and from where', () => {
    expect(found.length).toBeGreaterThan(100);
    for (const change of found) {
      const { changedThrough = '', changedFrom, changedRequest } = change;
      expect(change).toMatchObject({
        changedBy: expect.stringMatching(/^(key_|worker:|bootstrap$)/),
        changedIn: expect.stringMatching(/^call_/),
      });
      const byRequest = endpoints.some(({ id }) => id === changedThrough);
      expect(changedFrom !== undefined, changedThrough).toBe(byRequest);
      expect(changedRequest !== undefined, changedThrough).toBe(byRequest);
    }
  });

  test('each endpoint and worker has changed the resources that it should, and no others', () => {
    const tables = new Map<string, Set<string>>();
    for (const { table, changedThrough = '' } of found) {
      tables.set(changedThrough, (tables.get(changedThrough) ?? new Set()).add(table));
    }
    const actual = Object.fromEntries([...tables].map(([through, names]) => [through, [...names].sort()]));
    const lines = (by: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(by).map(([through, names]) => `${through}: ${names.join(', ')}`);
    const [shown, wanted] = [lines(actual), lines(changedBy)];
    const missing = wanted.filter((line) => !shown.includes(line));
    const unexpected = shown.filter((line) => !wanted.includes(line) && !mayChange.includes(line));
    expect({ missing, unexpected }).toEqual({ missing: [], unexpected: [] });
  });

  test('a tombstone has nothing but stamps, and is removed after 7 days', () => {
    const tombstones = all.flatMap(({ table, after }) =>
      after && resourceAt(table, after)?.place === gonePlace ? [after] : [],
    );
    expect(new Set(tombstones.map(({ changedThrough }) => changedThrough))).toEqual(
      new Set([
        'avatars.delete',
        'conversations.delete',
        'environments.delete',
        'knowledge.documents.delete',
        'knowledge.sources.delete',
        'webhooks.delete',
        'worker:project-purger',
        'worker:user-eraser',
      ]),
    );
    for (const { ttl, changedFrom: _, changedUsing: __, changedRequest: ___, ...rest } of tombstones) {
      expect(Object.keys(rest).sort()).toEqual(['changedBy', 'changedIn', 'changedThrough', 'id', 'tenant']);
      expect(ttl).toBeGreaterThan((Date.now() + 6.9 * dayMs) / 1000);
    }
  });
});
