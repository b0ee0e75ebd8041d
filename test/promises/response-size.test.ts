/**
 * Every list with the largest possible items: no page exceeds a function's response limit, and the cursors lead to all
 * items. The API creates the items, then the test copies them in the table.
 */

import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoints } from '../../functions/index.ts';
import { inBatches, split } from '../../lib/base/batches.ts';
import type { IdKind } from '../../lib/base/ids.ts';
import { dayMs } from '../../lib/base/time.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import { eventTypeNames } from '../../lib/events/types.ts';
import { amounts, digestOf } from '../../lib/limits/store/day-sums.ts';
import { costId } from '../../lib/limits/store/model-cost.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { identityBody } from '../../samples/samples.ts';
import { openProject, type ProjectApi } from '../support/avatars.ts';
import { storeReply } from '../support/stored-replies.ts';

/** One byte of UTF-8, six in JSON, and seven in the response of a function, where JSON is text in JSON. */
const control = '\u0001';
/** For names and scores, which have no control characters: one byte, two in JSON, and four in the response. */
const quote = '"';
const count = 60;

const metadata = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(40, quote), control.repeat(500)]),
);
const tags = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(40, quote));

/** @returns a response as Lambda counts it: it has at most 6 MB */
const lambdaBytes = (body: string) =>
  Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body }));

/** Copies an item `count - 1` times. @param ids of the copies; new ids of the same kind when left out */
async function copy(
  api: ProjectApi,
  table: TableName,
  id: string,
  changes: (index: number) => Json,
  within = '',
): Promise<void> {
  const items = await storedOf(api, table);
  const [item, ...others] = items.filter((some) => some.id === id && `${some.tenant}`.endsWith(within));
  if (!item || others.length > 0) throw new Error(`${id} is not exactly one item of ${table}`);
  for (let index = 1; index < count; index += 1) {
    const Item = { ...item, ...changes(index) };
    await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames[table], Item }));
  }
}

/** Puts items, some at a time. */
async function putAll(api: ProjectApi, table: TableName, items: readonly Json[]): Promise<void> {
  await inBatches(split(items, 25), 8, (batch) =>
    api.runtime.client.send(
      new BatchWriteCommand({
        RequestItems: {
          [`${api.runtime.tableNames[table]}`]: batch.map((Item) => ({ PutRequest: { Item } })),
        },
      }),
    ),
  );
}

const newIds = (api: ProjectApi, kind: IdKind) => () => ({ id: api.runtime.newId(kind, Date.now()) });

/** @returns how many items there are on all pages */
async function countAll(api: ProjectApi, path: string, field = 'items'): Promise<number> {
  let found = 0;
  let pages = 0;
  for (let cursor: unknown = ''; cursor !== null; pages += 1) {
    const separator = path.includes('?') ? '&' : '?';
    const { status, text, data } = await api.call('GET', `${path}${separator}limit=100${cursor}`);
    expect(status, text.slice(0, 500)).toBe(200);
    expect(lambdaBytes(text)).toBeLessThan(4.5e6);
    const list = (
      field === 'projects' ? data.projects : { items: data[field], nextCursor: data.nextCursor }
    ) as {
      items: Json[];
      nextCursor: string | null;
    };
    found += list.items.length;
    if (field === 'messages') cursor = data.final ? null : `&afterSeq=${data.nextAfterSeq}`;
    else cursor = list.nextCursor ? `&cursor=${list.nextCursor}` : null;
    expect(pages).toBeLessThan(count);
  }
  return found;
}

type Prepared = { path: string; field?: string; items?: number };

/** By endpoint: makes `count` of the largest items. */
const lists: Record<string, (api: ProjectApi) => Promise<Prepared>> = {
  // A deployment keeps few files, whose fields are short.
  'downloads.list': async () => ({ path: '/downloads', items: 3 }),
  async 'api-keys.list'(api) {
    const projectIds = Array.from({ length: 50 }, () => api.projectId).slice(0, 1);
    const { id } = await api.createKey({ name: quote.repeat(100), projectIds });
    await copy(api, 'apiKeys', id, newIds(api, 'apiKey'));
    // The root key is one of them.
    return { path: '/api-keys', items: count + 1 };
  },
  async 'usage.days'(api) {
    const id = await api.createProject({ name: quote.repeat(100) });
    await copy(api, 'projects', id, newIds(api, 'project'));
    const projects = (await storedOf(api, 'projects')).filter(({ name }) => name === quote.repeat(100));
    const firstMs = Date.parse('2026-01-01T00:00:00Z');
    const days = Array.from({ length: 367 }, (_, n) =>
      new Date(firstMs + n * dayMs).toISOString().slice(0, 10),
    );
    const used = 9_999_999_999_999;
    const sums = Object.fromEntries(amounts.map((name) => [name, used]));
    const ttl = Date.parse('2999-01-01T00:00:00Z') / 1000;
    const tenant = `${api.organisationId}#live`;
    const places = projects.map(({ id }) => digestOf(`${id}`));
    await putAll(api, 'limits', [
      ...projects.map((project) => ({ tenant: `${tenant}#projects`, id: project.id, ttl })),
      ...places.flatMap((place) =>
        days.flatMap((day) => [
          { tenant: `${tenant}#days#${place}`, id: day, ...sums, ttl },
          { tenant: `${tenant}#usage#${place}`, id: costId(day), used, ttl },
        ]),
      ),
    ]);
    const range = 'from=2026-01-01T12:00:00Z&to=2027-01-02T12:00:00Z';
    return { path: `/usage/days?groupBy=project&${range}`, field: 'projects' };
  },
  async 'workload-identities.list'(api) {
    const [key] = identityBody.jwks.keys;
    const claims = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`${index}`.padEnd(100, quote), control.repeat(255)]),
    );
    const keys = Array.from({ length: 20 }, (_, index) => ({ ...key, kid: `${index}`.padEnd(255, quote) }));
    const body = { ...identityBody, name: quote.repeat(100), claims, jwks: { keys } };
    const { data } = await api.call('POST', '/workload-identities', { body });
    await copy(api, 'apiKeys', `${data.id}`, newIds(api, 'workloadIdentity'));
    return { path: '/workload-identities' };
  },
  async 'audit-events.list'(api) {
    const metadata = { note: control.repeat(160) };
    const description = control.repeat(160);
    const id = await api.createProject({ name: quote.repeat(100), description, metadata });
    await api.logChanges();
    const events = await storedOf(api, 'audit');
    const event = events.find(({ resource }) => (resource as Json | undefined)?.id === id);
    await copy(api, 'audit', `${event?.id}`, newIds(api, 'auditEvent'), '#live');
    return {
      path: `/audit-events?to=2999-01-01T00:00:00Z`,
      items: events.filter((e) => e.actor).length + count - 1,
    };
  },
  async 'events.list'(api) {
    const id = await api.createProject({
      name: quote.repeat(100),
      description: control.repeat(1000),
      metadata,
    });
    await api.logChanges();
    const events = await storedOf(api, 'events');
    const event = events.find(({ resourceId }) => resourceId === id);
    await copy(api, 'events', `${event?.id}`, newIds(api, 'event'), '#live');
    return {
      path: '/events?to=2999-01-01T00:00:00Z',
      items: events.filter((e) => e.data).length + count - 1,
    };
  },
  async 'webhooks.deliveries.list'(api) {
    const { data } = await api.call('POST', '/webhooks', {
      body: { url: 'https://example.com/', eventTypes: ['*'] },
    });
    const path = `/webhooks/${data.id}`;
    const { data: delivery } = await api.call('POST', `${path}/test`);
    const attempt = { at: '2026-03-01T09:30:00.000Z', status: 500, durationMs: 1, error: null };
    const attempts = Array.from({ length: 4 }, () => ({ ...attempt, body: control.repeat(16 * 1024) }));
    const ids = newIds(api, 'delivery');
    await copy(api, 'deliveries', `${delivery.id}`, () => ({ ...ids(), attempts }), `${data.id}`);
    return { path: `${path}/deliveries` };
  },
  async 'webhooks.list'(api) {
    const body = {
      url: `https://example.com/${'a'.repeat(2000)}`,
      eventTypes: eventTypeNames.toSorted((one, other) => other.length - one.length).slice(0, 50),
      description: control.repeat(500),
    };
    const { data } = await api.call('POST', '/webhooks', { body });
    // Its secrets have the same id.
    await copy(api, 'webhooks', `${data.id}`, newIds(api, 'webhook'), '#live');
    return { path: '/webhooks' };
  },
  async 'projects.list'(api) {
    const id = await api.createProject({
      name: quote.repeat(100),
      description: control.repeat(1000),
      metadata,
    });
    await copy(api, 'projects', id, newIds(api, 'project'));
    return { path: '/projects', items: count + 1 };
  },
  async 'knowledge.sources.list'(api) {
    const { id, path } = await largestSource(api);
    await copy(api, 'knowledge', id, newIds(api, 'knowledgeSource'), '#sources');
    return { path };
  },
  async 'knowledge.sources.list-pages'(api) {
    const { id, path } = await largestSource(api);
    const page = {
      tenant: `${api.organisationId}#live#${api.projectId}#${id}`,
      url: `https://acme.example/${'a'.repeat(2000)}`,
      movedTo: `https://acme.example/${'b'.repeat(2000)}`,
      status: 'moved',
      documentId: null,
      error: null,
      requestedAt: null,
      changedAt: null,
    };
    for (let index = 0; index < count; index += 1) {
      const Item = { ...page, id: `${index}`.padStart(64, '0') };
      await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.knowledge, Item }));
    }
    return { path: `${path}/${id}/pages` };
  },
  async 'avatars.list'(api) {
    const { id } = await largestAvatar(api);
    await copy(api, 'avatars', id, newIds(api, 'avatar'), api.projectId);
    return { path: `/projects/${api.projectId}/avatars` };
  },
  async 'avatars.versions.list'(api) {
    const { id } = await largestAvatar(api);
    await copy(api, 'avatars', 'v0000000001', (index) => ({
      id: `v${String(index + 1).padStart(10, '0')}`,
      version: index + 1,
    }));
    return { path: `/projects/${api.projectId}/avatars/${id}/versions` };
  },
  async 'knowledge.documents.list'(api) {
    const path = `/projects/${api.projectId}/knowledge/documents`;
    for (let index = 0; index < count; index += 1) await largestDocument(api, `${index}`);
    return { path };
  },
  async 'knowledge.search'(api) {
    const content = Array.from({ length: count }, (_, index) => {
      const headings = [1, 2, 3, 4, 5].map((level) => `${'#'.repeat(level)} ${index}${quote.repeat(200)}`);
      return `${headings.join('\n')}\nword${index} word ${control.repeat(300)}`;
    }).join('\n');
    const body = { title: quote.repeat(200), mimeType: 'text/markdown', content };
    const response = await api.send('POST', '/knowledge/documents', body);
    expect(response.status, response.text.slice(0, 500)).toBe(201);
    const { data } = await api.send('POST', '/knowledge/reindex');
    await api.workOff(api.projectId, data.id as string);
    return { path: `/projects/${api.projectId}/knowledge/search?q=word&perDocument=50`, items: 50 };
  },
  async 'jobs.list'(api) {
    const { data } = await api.send('POST', '/knowledge/reindex');
    const findings = Array.from({ length: 100 }, () => ({
      documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      code: 'document_too_complex',
      message: quote.repeat(300),
    }));
    const environments = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(40, 'e'));
    const result = { expunged: 1, replacedVersions: 1, environments };
    const most = { failures: findings, warnings: findings, result };
    await copy(api, 'jobs', data.id as string, () => ({ ...newIds(api, 'job')(), ...most }));
    return { path: `/projects/${api.projectId}/jobs` };
  },
  async 'deployments.list'(api) {
    const { data } = await largestDeployment(api, 'production');
    await copy(api, 'deployments', data.id as string, newIds(api, 'deployment'));
    return { path: `/projects/${api.projectId}/deployments` };
  },
  async 'deployments.changes'(api) {
    for (let index = 0; index < count; index += 1) {
      const body = { title: quote.repeat(200), content: `c${index}` };
      expect((await api.send('POST', '/knowledge/documents', body)).status).toBe(201);
    }
    const { data: job } = await api.send('POST', '/knowledge/reindex');
    await api.workOff(api.projectId, job.id as string);
    const { data } = await api.send('POST', '/deployments', { environment: 'production' });
    return { path: `/projects/${api.projectId}/deployments/${data.id}/changes` };
  },
  async 'environments.list'(api) {
    await largestDeployment(api, 'production');
    await largestDeployment(api, 'production');
    const body = { environment: 'production', reason: control.repeat(500) };
    expect((await api.send('POST', '/rollback', body)).status).toBe(200);
    await copy(api, 'deployments', 'production', (index) => ({ id: `environment-${index}` }));
    return { path: `/projects/${api.projectId}/environments` };
  },
  async 'rollouts.list'(api) {
    const { id, path } = await largestRollout(api);
    const ids = Array.from({ length: count }, newIds(api, 'rollout')).map((made) => made.id);
    await copy(api, 'deployments', id, (index) => ({ id: ids[index] }), '#rollouts');
    const entry = (of: unknown) => ({ id: `production#${of}` });
    await copy(api, 'deployments', entry(id).id, (index) => entry(ids[index]));
    return { path };
  },
  async 'conversations.list'(api) {
    const path = await largestConversation(api, 'one');
    await copy(api, 'conversations', idIn(path), newIds(api, 'conversation'), api.projectId);
    await putScores(api);
    return { path: `/projects/${api.projectId}/conversations` };
  },
  async 'conversations.scores.list'(api) {
    const schema = { type: 'object', properties: { text: { type: 'string' } } };
    await api.send('POST', '/evaluators', {
      name: 'why',
      kind: 'external',
      output: { type: 'object', schema },
    });
    const path = await largestConversation(api, 'one');
    const body = { value: { text: quote.repeat(8180) }, rationale: quote.repeat(2000) };
    const response = await api.call('PUT', `${path}/scores/why`, { body });
    expect(response.status, response.text.slice(0, 500)).toBe(201);
    await copy(
      api,
      'conversations',
      'why#2#0000000001#0000000000',
      (index) => ({
        id: `why#2#${String(index + 1).padStart(10, '0')}#0000000000`,
        version: index + 1,
        // An earlier version has stored control characters.
        rationale: control.repeat(2000),
      }),
      idIn(path),
    );
    return { path: `${path}/scores` };
  },
  async 'evaluators.list'(api) {
    const { id } = await largestEvaluator(api);
    await copy(api, 'conversations', id, newIds(api, 'evaluator'), '#evaluators');
    return { path: `/projects/${api.projectId}/evaluators` };
  },
  async 'evaluators.versions.list'(api) {
    const { id } = await largestEvaluator(api);
    await copy(api, 'conversations', 'v0000000001', (index) => ({
      id: `v${String(index + 1).padStart(10, '0')}`,
      version: index + 1,
    }));
    return { path: `/projects/${api.projectId}/evaluators/${id}/versions` };
  },
  // The stage lists at most 50 models, and this one lists one.
  'models.list': async () => ({ path: '/models', items: 1 }),
  async 'replies.list'(api) {
    const conversation = await api.createConversation({}, api.projectId);
    const { id, end } = await storeReply(api, conversation);
    const documentId = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const title = control.repeat(200);
    const pieceId = `${documentId}#0001`;
    const numbers = Array.from({ length: 8 }, (_, index) => index + 1);
    await end({
      status: 'failed',
      passages: numbers.map((number) => ({
        number,
        pieceId,
        documentId,
        title,
        page: 1,
        score: 1,
        cited: true,
      })),
      citations: Array.from({ length: 20 }, () => ({
        documentId,
        title,
        snippet: control.repeat(500),
        page: 1,
      })),
    });
    await copy(api, 'messages', id, newIds(api, 'reply'));
    return { path: `${conversation}/replies` };
  },
  async 'conversations.search'(api) {
    const path = await largestConversation(api, 'one');
    const message = { role: 'user', text: `word ${'"a '.repeat(5000)}` };
    const messages = Array.from({ length: 2 }, () => message);
    for (let sent = 0; sent < count; sent += 2) {
      expect((await api.call('POST', `${path}/messages`, { body: { messages } })).status).toBe(201);
    }
    await api.indexMessages(api.projectId);
    return { path: `/projects/${api.projectId}/conversations/search?q=a` };
  },
  async 'conversations.transcript'(api) {
    const path = await largestConversation(api, 'one');
    const citation = {
      documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      title: control.repeat(200),
      snippet: control.repeat(500),
    };
    const citations = Array.from({ length: 20 }, () => citation);
    const own = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index}`.padEnd(40, quote), control.repeat(369)]),
    );
    const messages = [{ role: 'user', text: control.repeat(16_384), citations, metadata: own }];
    for (let sent = 0; sent < count; sent += 1) {
      expect((await api.call('POST', `${path}/messages`, { body: { messages } })).status).toBe(201);
    }
    expect((await api.call('POST', `${path}/end`, { body: { reason: 'completed' } })).status).toBe(200);
    return { path: `${path}/transcript`, field: 'messages' };
  },
};

/** Each conversation has a score of each of 50 evaluators. */
async function putScores(api: ProjectApi): Promise<void> {
  const score = {
    value: quote.repeat(40),
    hasValue: true,
    reason: null,
    source: 'human',
    version: 1,
    messageCount: 0,
  };
  const names = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(40, '_'));
  const scores = Object.fromEntries(names.map((name) => [name, score]));
  const tenant = `${api.organisationId}#live#${api.projectId}`;
  const all = await storedOf(api, 'conversations');
  for (const { id } of all.filter((one) => one.tenant === tenant)) {
    const Item = { tenant: `${tenant}#scored`, id, scores };
    await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.conversations, Item }));
  }
}

async function largestEvaluator(api: ProjectApi): Promise<{ id: string }> {
  const any = Array.from({ length: 49 }, () => ({ contains: { text: quote.repeat(200), role: 'avatar' } }));
  const body = { name: 'large', kind: 'rule', description: control.repeat(500), rule: { any } };
  const response = await api.send('POST', '/evaluators', body);
  expect(response.status, response.text.slice(0, 500)).toBe(201);
  return { id: `${response.data.id}` };
}

async function largestRollout(api: ProjectApi): Promise<{ id: string; path: string }> {
  const guards = Array.from({ length: 5 }, (_, index) => {
    const [score, value] = [`${index}`.padEnd(40, '_'), `${index}`.padEnd(40, quote)];
    return { score, value, better: 'higher', maxHarm: 0.05 };
  });
  for (const { score: name, value } of guards) {
    const output = { type: 'category', values: [value, 'other'] };
    const { status, text } = await api.send('POST', '/evaluators', { name, kind: 'external', output });
    expect(status, text).toBe(201);
  }
  await api.createAvatar();
  await api.send('POST', '/deployments', { environment: 'production' });
  const staged = await api.send('POST', '/deployments', { environment: 'production', promote: false });
  const steps = Array.from({ length: 10 }, (_, index) => ({ percent: index + 1.01, holdMinutes: 43_200 }));
  const body = { deploymentId: staged.data.id, steps, guards, reason: control.repeat(500) };
  const path = '/environments/production/rollout';
  const { status, text, data } = await api.send('POST', path, body);
  expect(status, text).toBe(201);
  for (let percent = 10.02; percent < 10.11; percent += 0.01) {
    const change = { percent: Number(percent.toFixed(2)), reason: control.repeat(500) };
    expect((await api.send('PATCH', path, change)).status).toBe(200);
  }
  return { id: `${data.id}`, path: `/projects/${api.projectId}${path}s` };
}

const idIn = (path: string) => path.split('/').at(-1) ?? '';

async function largestSource(api: ProjectApi): Promise<{ id: string; path: string }> {
  const path = `/projects/${api.projectId}/knowledge/sources`;
  const pattern = `/${quote.repeat(499)}`;
  const include = Array.from({ length: 50 }, () => pattern);
  const body = {
    type: 'site',
    url: `https://acme.example/${'a'.repeat(2000)}`,
    include,
    exclude: include,
    tags,
  };
  const { data } = await api.call('POST', path, { body });
  return { id: `${data.id}`, path };
}

const largestAvatar = (api: ProjectApi) =>
  api.createAvatar({
    name: quote.repeat(100),
    persona: { prompt: control.repeat(32_000), greeting: control.repeat(1000) },
    knowledgeTags: tags,
    metadata,
  });

async function largestDocument(api: ProjectApi, source: string): Promise<void> {
  const body = { externalId: 'same', source, title: quote.repeat(200), content: 'c', metadata };
  const response = await api.send('POST', '/knowledge/documents', body);
  expect(response.status, response.text.slice(0, 500)).toBe(201);
}

const largestDeployment = async (api: ProjectApi, environment: string) => {
  await Promise.all(Array.from({ length: 50 }, () => api.createAvatar()));
  const git = { sha: '6d5f75d', ref: quote.repeat(255) };
  const response = await api.send('POST', '/deployments', { environment, git, reason: control.repeat(500) });
  expect(response.status, response.text.slice(0, 500)).toBe(201);
  return response;
};

const largestConversation = (api: ProjectApi, externalId: string) =>
  api.createConversation(
    { externalId: externalId.padEnd(255, quote), externalUserId: 'u', channel: 'web', metadata, tags },
    api.projectId,
  );

describe('a page of the largest items fits into a response, and the cursors lead to all of them', () => {
  test.each(Object.keys(lists))('%s', { tags: ['nightly'] }, async (id) => {
    const api = await openProject();
    const { path, field, items = count } = (await lists[id]?.(api)) ?? { path: '' };
    if (id !== 'knowledge.search') expect(await countAll(api, path, field)).toBe(items);
    else {
      const { data, text } = await api.call('GET', `${path}&limit=50`);
      expect(data.items).toHaveLength(items);
      expect(lambdaBytes(text)).toBeLessThan(4.5e6);
    }
  });

  test('knowledge.documents.list, of one externalId', { tags: ['nightly'] }, async () => {
    const api = await openProject();
    const { path } = (await lists['knowledge.documents.list']?.(api)) ?? { path: '' };
    expect(await countAll(api, `${path}?externalId=same`)).toBe(count);
  });

  test('conversations.list, by an index', { tags: ['nightly'] }, async () => {
    const api = await openProject();
    for (let index = 0; index < count; index += 1) await largestConversation(api, `${index}`);
    expect(await countAll(api, `/projects/${api.projectId}/conversations?channel=web`)).toBe(count);
  });

  test('every list endpoint is tested', () => {
    const paged = endpoints.filter(({ request }) => {
      const query = request?.query;
      return query instanceof z.ZodObject && 'limit' in query.shape;
    });
    expect(Object.keys(lists).sort()).toEqual(paged.map(({ id }) => id).sort());
  });
});
