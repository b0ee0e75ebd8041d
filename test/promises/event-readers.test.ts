/**
 * A caller that may not read a resource by its GET cannot read it in an event either: not in the list, and not by a webhook.
 * The scopes of an event follow from its type and its data, so the tests compare every event with the GET of its resource.
 */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { allScopes, type Scope } from '../../lib/base/scopes.ts';
import { scopesOfTypes } from '../../lib/events/scopes.ts';
import { type EventFamily, familyOf } from '../../lib/events/types.ts';
import { jobTypeNames, scopesOfJobs } from '../../lib/jobs/types.ts';
import { eventSchemas } from '../../lib/webhooks/in-events.ts';
import { type Json, openApi, storedOf, type TestApi, toLoopback } from '../../samples/api.ts';
import { avatarBody, identityBody } from '../../samples/samples.ts';
import eventWriter from '../../workers/event-writer.ts';
import webhookKeeper from '../../workers/webhook-keeper.ts';
import webhookSender from '../../workers/webhook-sender.ts';
import { type Event, eventsOf } from '../support/events.ts';
import { answering, openReceiver } from '../support/webhooks.ts';
import { follow } from '../support/workers.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function open() {
  const api = await openApi((runtime) => ({ ...toLoopback(runtime), sleep: async () => {} }));
  const feed = await follow(api, [eventWriter, webhookSender, webhookKeeper]);
  const receiver = await openReceiver();
  opened.push(receiver, { close: () => feed.stop() });
  return { api, feed, receiver };
}

/** Changes resources of every kind, with jobs of every scope. */
async function tellStory(api: TestApi): Promise<void> {
  const create = async (path: string, body: Json) => {
    const { status, text, data } = await api.call('POST', path, { body });
    expect(status, text).toBeLessThan(300);
    return `${path}/${data.id}`;
  };
  const project = `/projects/${await api.createProject()}`;
  await create(`${project}/avatars`, avatarBody);
  await create(`${project}/knowledge/documents`, { title: 't', content: 'c' });
  await create(`${project}/knowledge/sources`, { type: 'url', url: 'https://docs.acme.example/' });
  await create(`${project}/evaluators`, { name: 'csat', kind: 'external', output: { type: 'boolean' } });
  await create(`${project}/deployments`, { environment: 'production' });
  const staged = await create(`${project}/deployments`, { environment: 'production', promote: false });
  const deploymentId = staged.split('/').at(-1) ?? '';
  await create(`${project}/environments/production/rollout`, { deploymentId, percent: 10 });
  await api.createConversation({ externalUserId: 'anna' }, project.split('/')[2]);
  await api.createKey();
  await api.call('POST', '/workload-identities', { body: identityBody });
  await api.call('POST', `${project}/knowledge/reindex`);
  await api.call('POST', `${project}/conversations/reindex`);
  for (const what of ['conversations', 'documents', 'audit']) await create(`${project}/exports`, { what });
}

const paths: Readonly<Record<EventFamily, (id: string, data: Json) => string>> = {
  project: () => '',
  api_key: (id) => `/api-keys/${id}`,
  workload_identity: (id) => `/workload-identities/${id}`,
  avatar: (id) => `/avatars/${id}`,
  document: (id) => `/knowledge/documents/${id}`,
  source: (id) => `/knowledge/sources/${id}`,
  job: (id) => `/jobs/${id}`,
  deployment: (id) => `/deployments/${id}`,
  environment: (id) => `/environments/${id}`,
  rollout: (_, { environment }) => `/environments/${environment}/rollout`,
  conversation: (id) => `/conversations/${id}`,
  evaluator: (id) => `/evaluators/${id}`,
  webhook: (id) => `/webhooks/${id}`,
};

/** The GET of the resource of an event. */
const pathOf = ({ type, projectId, data }: Event): string =>
  `${projectId === null ? '' : `/projects/${projectId}`}${paths[familyOf(type)](`${data.id ?? data.name}`, data)}`;

test('a key reads exactly the events of the resources that it may GET', { tags: ['long'] }, async () => {
  const { api, feed, receiver } = await open();
  await api.call('POST', '/webhooks', { body: { url: receiver.url, eventTypes: ['api_key.rotated'] } });
  await tellStory(api);
  await feed.settled();
  const all = await eventsOf(api);
  expect(new Set(all.map(({ type }) => familyOf(type)))).toEqual(new Set(Object.keys(eventSchemas)));
  expect(new Set(all.flatMap(({ type, data }) => (familyOf(type) === 'job' ? data.type : [])))).toEqual(
    new Set(jobTypeNames.filter((type) => /reindex|export/.test(type))),
  );
  const seen = new Set<string>();
  for (const scope of allScopes.filter((one) => one.endsWith(':read') && one !== 'events:read')) {
    const { secret: key } = await api.createKey({ scopes: ['events:read', scope] });
    const readable: Event[] = [];
    for (const event of all) {
      const { status } = await api.call('GET', pathOf(event), { key });
      expect([200, 403], pathOf(event)).toContain(status);
      if (status === 200) readable.push(event);
      const found = await api.call('GET', `/events/${event.id}`, { key });
      expect(found.status, `${scope} ${event.type}`).toBe(status);
    }
    // The keys of this test are newer.
    const listed = (await eventsOf(api, '', key)).filter(({ id }) => all.some((event) => event.id === id));
    expect(listed, scope).toEqual(readable);
    for (const { id } of readable) seen.add(id);
  }
  expect(seen.size).toBe(all.length);
});

const withoutWrite = (scopes: readonly Scope[]) => allScopes.filter((scope) => !scopes.includes(scope));

test('a webhook gets no type that its setter may not read, and the refusal names all missing scopes', {
  tags: ['long'],
}, async () => {
  const { api, receiver } = await open();
  const jobScopes = scopesOfJobs('read');
  const cases: [string[], Scope[]][] = [
    [['job.*'], jobScopes],
    [
      ['job.failed', 'project.*'],
      [...jobScopes, 'projects:read'],
    ],
    [['deployment.created'], ['deploy:read']],
    [['*'], scopesOfTypes(['*'])],
  ];
  for (const [eventTypes, needed] of cases) {
    const body = { url: receiver.url, eventTypes };
    const { secret: key } = await api.createKey({ scopes: ['webhooks:write'] });
    const refused = await api.call('POST', '/webhooks', { key, body });
    expect(refused.status).toBe(403);
    const missing = needed.filter((scope) => scope !== 'webhooks:read');
    expect(`${refused.error.message}`.match(/\w[\w-]*:read/g)?.sort()).toEqual(missing.toSorted());
    for (const scope of missing) {
      const scopes = withoutWrite([scope, scope.replace('read', 'write') as Scope]);
      const { secret: almost } = await api.createKey({ scopes });
      expect((await api.call('POST', '/webhooks', { key: almost, body })).status, scope).toBe(403);
    }
    const { secret: enough } = await api.createKey({ scopes: ['webhooks:write', ...missing] });
    const created = await api.call('POST', '/webhooks', { key: enough, body });
    expect(created.status, created.text).toBe(201);
    expect((created.data.scopes as Scope[]).toSorted()).toEqual([...missing, 'webhooks:read'].sort());

    const path = `/webhooks/${created.data.id}`;
    const project = await api.createProject();
    for (const change of [
      { url: `${receiver.url}/2` },
      { eventTypes },
      { projectIds: [project] },
      { include: [] },
    ]) {
      const response = await api.call('PATCH', path, { key, body: change });
      expect(response.status, JSON.stringify(change)).toBe(403);
      expect(response.error.code).toBe('insufficient_scope');
    }
    for (const change of [{ disabled: true }, { description: 'stopped' }]) {
      const response = await api.call('PATCH', path, { key, body: change });
      expect(response.data.scopes).toEqual(created.data.scopes);
    }
    await api.call('DELETE', path);
  }
});

/** Stores a webhook as if its setter had held other scopes. */
async function storeScopes(api: TestApi, id: string, scopes: readonly string[]) {
  const { client, tableNames } = api.runtime;
  await client.send(
    new UpdateCommand({
      TableName: tableNames.webhooks,
      Key: { tenant: `${api.organisationId}#live`, id },
      UpdateExpression: 'SET #scopes = :scopes',
      ExpressionAttributeNames: { '#scopes': 'scopes' },
      ExpressionAttributeValues: { ':scopes': scopes },
    }),
  );
}

/** @returns the events of which there are deliveries, also of those that the API does not show */
async function deliveredEvents(api: TestApi): Promise<Event[]> {
  const ids = new Set((await storedOf(api, 'deliveries')).map(({ eventId }) => eventId));
  return (await eventsOf(api)).filter(({ id }) => ids.has(id));
}

test('what the setter could not read is neither sent nor recovered, until somebody who may sets the types again', {
  tags: ['long'],
}, async () => {
  const { api, feed, receiver } = await open();
  const body = { url: receiver.url, eventTypes: ['*'] };
  const { data } = await api.call('POST', '/webhooks', { body });
  const path = `/webhooks/${data.id}`;
  // As if conversations and the exports of audit events were newer than the webhook.
  await storeScopes(api, `${data.id}`, ['projects:read', 'knowledge:read']);
  const sent = async () =>
    (await deliveredEvents(api)).map(({ type, data }) => `${type} ${data.type ?? ''}`).sort();
  await tellStory(api);
  await feed.settled();
  const expected = [
    'document.created ',
    'job.created knowledge.export',
    'job.created knowledge.reindex',
    'project.created ',
    'source.created url',
  ];
  expect(await sent()).toEqual(expected);
  const since = new Date(Date.now() - 60_000).toISOString();
  await api.call('POST', `${path}/recover`, { body: { since } });
  await feed.settled();
  expect(await sent()).toEqual(expected);

  await api.call('PATCH', path, { body: { eventTypes: ['*'] } });
  await api.call('POST', `${path}/recover`, { body: { since } });
  await feed.settled();
  expect(await sent()).toEqual(
    expect.arrayContaining([...expected, 'conversation.started ', 'job.created audit.export']),
  );
});

test('whoever narrows the types and sets another URL gets no delivery of the types before', {
  tags: ['long'],
}, async () => {
  const { api, feed, receiver } = await open();
  receiver.respond(answering(500));
  const body = { url: receiver.url, eventTypes: ['*'] };
  const { data } = await api.call('POST', '/webhooks', { body });
  const path = `/webhooks/${data.id}`;
  await api.createConversation({ externalUserId: 'anna' });
  await feed.settled();
  const before = (await api.call('GET', `${path}/deliveries`)).data.items as Json[];
  const old = before.find(({ eventType }) => eventType === 'conversation.started');
  expect(old?.status).toBe('pending');

  const thief = await openReceiver();
  opened.push(thief);
  const { secret: key } = await api.createKey({ scopes: ['webhooks:write', 'projects:read'] });
  const change = { url: thief.url, eventTypes: ['project.*'] };
  expect((await api.call('PATCH', path, { key, body: change })).status).toBe(403);
  expect((await api.call('PATCH', path, { key, body: { eventTypes: ['project.*'] } })).status).toBe(403);
  expect((await api.call('POST', `${path}/rotate-secret`, { key, body: {} })).status).toBe(403);
  const since = new Date(Date.now() - 60_000).toISOString();
  await api.call('POST', `${path}/recover`, { key, body: { since } });
  await feed.settled();
  // The pending ones, too, when they are due.
  api.advance(10_000);
  await feed.settled();
  expect(thief.received).toEqual([]);
});
