/**
 * No change of a resource is without an event, and no event without a change. The audit log, which has a test of its own, is
 * the model: its entry for each call decides which events there must be.
 */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { type EventType, eventTypeNames, eventTypes } from '../../lib/events/types.ts';
import { coreOf } from '../../lib/http/middleware/cores.ts';
import { createHandler } from '../../lib/http/middleware/pipeline.ts';
import { apiOf, type Json, openApi, type TestApi } from '../../samples/api.ts';
import { avatarBody, sampleOf, webhookBody, wideLimits } from '../../samples/samples.ts';
import { call as send } from '../../scripts/local/call.ts';
import type { Feed } from '../../scripts/local/feed.ts';
import auditWriter from '../../workers/audit-writer.ts';
import eventWriter from '../../workers/event-writer.ts';
import { workers } from '../../workers/index.ts';
import { allEvents, type Event, eventsOf } from '../support/events.ts';
import { followBadly, historyOf } from '../support/history.ts';
import { chanceOf } from '../support/killable.ts';
import { runningRollout } from '../support/states-of-rollouts.ts';
import { follow } from '../support/workers.ts';

const feeds: Feed[] = [];

afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});

type Change = { action: string; at: string; resource: { type: string; id: string }; isNew: boolean };

const changeOf = ({ action, at, resource, changes }: Json): Change => ({
  action: `${action}`,
  at: `${at}`,
  resource: resource as Change['resource'],
  isNew: (changes as Json | null)?.before === null,
});

/** The meaning of a call that changes a resource: by action and kind of resource, `created` for a new resource. */
function typesOf({ action, resource, isNew }: Change): EventType[] {
  const verbs: Record<string, EventType[]> = {
    'projects.create': ['project.created'],
    'projects.update': ['project.updated'],
    'projects.delete': ['project.deleted'],
    'projects.restore': ['project.restored'],
    'avatars.create': ['avatar.created'],
    'avatars.update': ['avatar.updated'],
    'avatars.delete': ['avatar.deleted'],
    'knowledge.documents.batch': [isNew ? 'document.created' : 'document.updated'],
    'conversations.create': ['conversation.started'],
    'conversations.append': ['conversation.updated'],
    'conversations.delete': ['conversation.deleted'],
    'webhooks.create': ['webhook.created'],
    'api-keys.create': ['api_key.created'],
    'api-keys.update': ['api_key.updated'],
  };
  if (action !== 'deployments.create') return verbs[action] ?? [];
  if (resource.type === 'environment') return [isNew ? 'environment.created' : 'environment.updated'];
  return isNew ? ['deployment.created', 'deployment.promoted'] : ['deployment.updated'];
}

const idIn = ({ data }: Event) => `${data.id ?? data.name}`;
const inOrder = (events: readonly (readonly string[])[]) => events.map((parts) => parts.join(' ')).sort();

test('random requests, while the writers are killed and their notices repeated, delayed and reordered', {
  tags: ['long'],
}, async () => {
  const seed = 3;
  const chance = chanceOf(seed);
  const api = await openApi();
  const feed = await followBadly(api, [auditWriter, eventWriter], chanceOf(seed + 1000), 0.08);
  feeds.push(feed);
  const { id } = (await api.call('GET', '/api-keys/me')).data;
  await feed.settled();
  const known = new Set((await eventsOf(api)).map((event) => event.id));
  const { expected, step } = historyOf(api, [{ id: `${id}`, key: api.rootKey }], chance);
  for (let n = 0; n < 60; n += 1) await step();
  await feed.settled();
  expect(feed.deadLetters()).toEqual([]);
  const changes = (await allEvents(api))
    .filter(({ requestId }) => `${requestId}`.startsWith('request-'))
    .map(changeOf);
  expect(changes.length).toBe(expected.length);
  expect(new Set(expected.map(({ action }) => action)).size).toBeGreaterThan(9);
  const found = (await eventsOf(api)).filter((event) => !known.has(event.id));
  expect(inOrder(found.map((event) => [event.timestamp, event.type, idIn(event)]))).toEqual(
    inOrder(
      changes.flatMap((change) => typesOf(change).map((type) => [change.at, type, change.resource.id])),
    ),
  );
  expect(new Set(found.map((event) => event.id)).size).toBe(found.length);
  // A filter by a value finds exactly the events with this value, also after failures.
  const conversations = found.filter(({ type }) => type.startsWith('conversation.'));
  expect(await eventsOf(api, '&type=conversation.*')).toEqual(conversations);
});

/** The kind of resource in the audit log, by the first part of the type. */
const kinds: Readonly<Record<string, string>> = {
  document: 'knowledge_document',
  source: 'knowledge_source',
};

/** The kinds of resources in the audit log that events are about: no others, such as uploads. */
const told = new Set(
  Object.keys(eventTypes).map((type) => {
    const [family = ''] = type.split('.');
    return kinds[family] ?? family;
  }),
);

/** The endpoints that change something. */
const changing = endpoints.filter(({ method, auth }) => method !== 'GET' && auth !== 'public');

/** The API as it would be if the file of each endpoint had another name. */
function renamed(api: TestApi): TestApi {
  const routes = endpoints.map((endpoint) => ({
    endpoint,
    handler: createHandler({ ...endpoint, id: renamedId(endpoint.id) }, api.runtime, coreOf(endpoint)),
  }));
  const { rootKey, organisationId } = api;
  const call: TestApi['call'] = (method, path, options = {}) =>
    send(routes, method, path, { key: rootKey, ...options });
  return { ...api, ...apiOf({ call, rootKey, organisationId }) };
}
const renamedId = (id: string) => `renamed.${id.replaceAll('.', '-')}`;

/** Requests for the events that the samples do not cause. */
const further: Readonly<Record<string, (api: TestApi) => Promise<unknown>>> = {
  'api-keys.revoke': async (api) => {
    const { id } = await api.createKey();
    await api.call('DELETE', `/api-keys/${id}`);
    await api.call('DELETE', `/api-keys/${id}?children=true`);
  },
  'workload-identities.delete': async (api) => {
    const { path } = await sampleOf('workload-identities.delete', api);
    await api.call('DELETE', path);
    await api.call('DELETE', `${path}?children=true`);
  },
  'conversations.put': async (api) => {
    const { path, body } = await sampleOf('conversations.put', api);
    for (const tags of [['a'], ['b']]) await api.call('PUT', path, { body: { ...body, tags } });
  },
  'deployments.create': async (api) => {
    const path = `/projects/${await api.createProject()}/deployments`;
    await api.call('POST', path, { body: { environment: 'production' } });
  },
  'deployments.promote': async (api) => {
    const path = `/projects/${await api.createProject()}/deployments`;
    const body = { environment: 'production', promote: false };
    const { data } = await api.call('POST', path, { body });
    await api.call('POST', `${path}/${data.id}/promote`);
    const rollout = await runningRollout(api);
    const { deploymentId } = (await api.call('GET', rollout)).data;
    const project = rollout.slice(0, rollout.indexOf('/environments/'));
    await api.call('POST', `${project}/deployments/${deploymentId}/promote`);
  },
  'deployments.rollback': async (api) => {
    const rollout = await runningRollout(api);
    const project = rollout.slice(0, rollout.indexOf('/environments/'));
    await api.call('POST', `${project}/rollback`, { body: { environment: 'production' } });
  },
  'rollouts.update': async (api) => {
    const path = await runningRollout(api);
    for (const paused of [true, false]) await api.call('PATCH', path, { body: { paused } });
  },
  'rollouts.advance': async (api) => {
    const { path, body } = await sampleOf('rollouts.start', api);
    const deploymentId = body && 'deploymentId' in body ? body.deploymentId : undefined;
    const steps = [5, 10].map((percent) => ({ percent, holdMinutes: 5 }));
    await api.call('POST', path, { body: { deploymentId, steps } });
    await api.call('POST', `${path}/advance`, { body: {} });
  },
  'knowledge.documents.delete': async (api) => {
    const { path } = await sampleOf('knowledge.documents.delete', api);
    await api.call('DELETE', `${path}?expunge=true`);
  },
  'knowledge.sources.delete': async (api) => {
    const { path } = await sampleOf('knowledge.sources.delete', api);
    await api.call('POST', `${path}/refresh`);
    await api.call('DELETE', path);
  },
};

test('an event that no endpoint causes has a rule', () => {
  const caused = new Set(endpoints.flatMap(({ causes }) => causes));
  const root = resolve(import.meta.dirname, '../..');
  const rules = globSync('lib/events/{from-changes/**/*,rollouts}.ts', { cwd: root })
    .map((file) => readFileSync(resolve(root, file), 'utf8'))
    .join('\n');
  const others = eventTypeNames.filter((type) => !caused.has(type));
  expect(others).toContain('job.started');
  expect(others.filter((type) => !rules.includes(`'${type}'`))).toEqual([]);
});

test('every endpoint causes the events that it declares, and every change by a worker leads to one', {
  tags: ['long'],
}, async () => {
  // The published content must not depend on the names of files.
  const api = renamed(await openApi(() => ({ limits: wideLimits })));
  const feed = await follow(api, workers);
  feeds.push(feed);
  for (const { id, method } of changing) {
    const { path, body, otherBody, key } = await sampleOf(id, api);
    const withKey = key === undefined ? {} : { key };
    const response = await api.call(method, path, { ...(body && { body }), ...withKey });
    expect(response.status, `${id}: ${response.text}`).toBeLessThan(300);
    if (otherBody) await api.call(method, path, { body: otherBody, ...withKey });
    await further[id]?.(api);
  }
  const path = await api.createConversation({});
  await api.call('DELETE', path);
  await feed.settled();
  const events = await eventsOf(api);
  const nameOf = (event: Event) => {
    const [family = ''] = event.type.split('.');
    return inTime(kinds[family] ?? family, idIn(event), event.timestamp);
  };
  const logged = (await allEvents(api))
    .filter(({ outcome }) => outcome === 'succeeded')
    .map(changeOf)
    .filter(({ resource: { type } }) => told.has(type));

  const caused = changing.map(({ id }) => {
    const own = logged.filter(({ action }) => action === renamedId(id));
    const changed = new Set(own.map((one) => `${one.resource.type} ${one.resource.id} ${one.at}`));
    const types = events
      .filter((event) => {
        const [family = ''] = event.type.split('.');
        return changed.has(`${kinds[family] ?? family} ${idIn(event)} ${event.timestamp}`);
      })
      .map(({ type }) => type);
    return [id, [...new Set(types)].sort()] as const;
  });
  const declared = changing.map(({ id, causes }) => [id, causes.toSorted()] as const);
  expect(Object.fromEntries(caused)).toEqual(Object.fromEntries(declared));

  const restored = logged.filter(({ action }) => action === renamedId('projects.restore'));
  expect(restored.map(({ isNew }) => isNew)).not.toContain(true);

  const silentByDeclaration = changing.flatMap(({ id, causes }) =>
    causes.length === 0 ? renamedId(id) : [],
  );
  // The event of a rollout tells the change of its environment, too.
  const tells = (event: Event) =>
    event.type.startsWith('rollout.')
      ? [nameOf(event), inTime('environment', `${event.data.environment}`, event.timestamp)]
      : [nameOf(event)];
  const announced = new Set(events.flatMap(tells));
  const silent = logged.filter(
    ({ action, resource: { type, id }, at }) =>
      !silentByDeclaration.includes(action) && !announced.has(inTime(type, id, at)),
  );
  expect([...new Set(silent.map(({ action, resource }) => `${action} ${resource.type}`))]).toEqual([]);
  expect(logged.length).toBeGreaterThan(changing.length);
  const changed = new Set(logged.map(({ resource: { type, id }, at }) => inTime(type, id, at)));
  // It is about the remaining items of a conversation, so the log does not mention it.
  const unfounded = events.filter((event) => !changed.has(nameOf(event)));
  expect(new Set(unfounded.map(({ type }) => type))).toEqual(new Set(['conversation.erased']));
  expect(events.map(({ type }) => type)).toContain('job.succeeded');
});

test('an event has the fields of its resource in the same order as the GET', { tags: ['long'] }, async () => {
  const api = await openApi();
  feeds.push(await follow(api, [eventWriter]));
  const project = await api.createProject({ name: 'Support', settings: { retentionDays: 3 } });
  const below = `/projects/${project}`;
  const create = async (path: string, body: Json) =>
    `${path}/${(await api.call('POST', path, { body })).data.id}`;
  const paths = [
    below,
    await api.createConversation({ metadata: { b: '1', a: '2' }, tags: ['b', 'a'] }, project),
    await create(`${below}/avatars`, avatarBody),
    await create(`${below}/knowledge/documents`, { title: 't', content: 'c', metadata: { b: '1', a: '2' } }),
    await create(`${below}/deployments`, { environment: 'production' }),
    await create('/webhooks', webhookBody),
    `/api-keys/${(await api.createKey()).id}`,
  ];
  await feeds.at(-1)?.settled();
  for (const path of paths) {
    const [event] = await eventsOf(api, `&resourceId=${path.split('/').at(-1)}`);
    expect(JSON.stringify(event?.data)).toBe(JSON.stringify((await api.call('GET', path)).data));
  }
});

/** The end of a job has the time at which it ended, and not that of the call. */
const inTime = (type: string, id: string, at: string) => `${type} ${id} ${type === 'job' ? '' : at}`;
