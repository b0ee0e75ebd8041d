/** One story in which every worker does everything that it can. All workers process its changes, each with a client that records its actions. */

import { gzipSync } from 'node:zlib';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../lib/base/time.ts';
import { numbered } from '../../lib/dynamodb/places.ts';
import type { Access, TableName } from '../../lib/dynamodb/tables.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { placesOf } from '../../lib/workers/places.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { type Json, openApi, storedOf, type TestApi, toLoopback } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { avatarBody, ratingBody, ruleBody, webhookBody, webhookScopes } from '../../samples/samples.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import conversationReindexer from '../../workers/conversation-reindexer.ts';
import conversationSweeper from '../../workers/conversation-sweeper.ts';
import evaluationRunner from '../../workers/evaluation-runner.ts';
import eventWriter from '../../workers/event-writer.ts';
import exportRemover from '../../workers/export-remover.ts';
import exporter from '../../workers/exporter.ts';
import importer from '../../workers/importer.ts';
import { workers } from '../../workers/index.ts';
import knowledgeExtractor from '../../workers/knowledge-extractor.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import messageIndexer from '../../workers/message-indexer.ts';
import projectPurger from '../../workers/project-purger.ts';
import rolloutMover from '../../workers/rollout-mover.ts';
import webhookSender from '../../workers/webhook-sender.ts';
import { noting } from './access.ts';
import { intercept } from './faults.ts';
import { requestImport, textOf, upload } from './imports.ts';
import { longDocument } from './knowledge.ts';
import { pagesOfText } from './long-texts.ts';
import { dueNotices } from './schedule.ts';
import { assignmentOf, storeRollout } from './stored-rollouts.ts';
import { evaluate } from './story-of-evaluations.ts';
import { reply } from './story-of-replies.ts';
import { rollOut } from './story-of-rollouts.ts';
import { crawl } from './story-of-sources.ts';
import { handleAll, resumeNow, suspendNow } from './suspensions.ts';
import { deliverUntilDone, type Ended } from './turns.ts';
import { answering, openReceiver, type Receiver } from './webhooks.ts';
import { deliver } from './workers.ts';

/** The actions of each worker, by its id. */
type Used = Map<string, Access[]>;
type Story = { api: TestApi; used: Used; ended: Ended; receiver: Receiver; settle(): Promise<void> };

/** @returns a function that delivers what has changed, until the workers change nothing more */
function settleWith(api: TestApi, used: Used, ended: Ended) {
  const sources = [...new Set(workers.flatMap((worker) => worker.sources))];
  const seen = new Map<TableName, Map<string, Json>>(sources.map((source) => [source, new Map()]));

  async function changesOf(source: TableName) {
    const before = seen.get(source) ?? new Map<string, Json>();
    const stored = await storedOf(api, source);
    const now = new Map(stored.map((item) => [`${item.tenant}/${item.id}`, item]));
    seen.set(source, now);
    const removed = [...before].filter(([key]) => !now.has(key));
    const changed = [...now].filter(([key, item]) => before.get(key)?.changedIn !== item.changedIn);
    return [
      ...changed.map(([key, item]) => changeRecord(before.get(key), item)),
      ...removed.map(([, item]) => changeRecord(item, undefined)),
    ];
  }

  return async function settle(): Promise<void> {
    const changes = await Promise.all(
      sources.map(async (source) => [source, await changesOf(source)] as const),
    );
    if (changes.every(([, records]) => records.length === 0)) return;
    const records = new Map(changes);
    // The erasers first: the counter would take away what they must be able to remove themselves.
    for (const worker of workers.toReversed()) {
      const { client, taken } = noting(api.runtime.client);
      for (const source of worker.sources) {
        const own = noticesOf(worker, records.get(source) ?? [], source);
        await deliverUntilDone(api, { ...api.runtime, client }, worker, own, ended);
      }
      used.set(worker.id, [...(used.get(worker.id) ?? []), ...taken]);
    }
    await settle();
  };
}

/** Delivers what is due of a kind of worker: of one conversation, job or project. */
async function deliverDue(
  { api, used, ended }: Pick<Story, 'api' | 'used' | 'ended'>,
  worker: Worker,
  path: string,
): Promise<void> {
  const { client, taken } = noting(api.runtime.client);
  const due = (await dueNotices(api)).filter(({ id }) => path.endsWith(id));
  await deliverUntilDone(api, { ...api.runtime, client }, worker, due, ended);
  used.set(worker.id, [...(used.get(worker.id) ?? []), ...taken]);
}

/** Removes an item as DynamoDB's TTL does, or a restore puts one back. */
const remove = ({ runtime }: TestApi, { tenant, id }: Json) =>
  runtime.client.send(
    new DeleteCommand({ TableName: runtime.tableNames.conversations, Key: { tenant, id } }),
  );
const restore = ({ runtime }: TestApi, Item: Json) =>
  runtime.client.send(new PutCommand({ TableName: runtime.tableNames.conversations, Item }));

/** Turns that end after each piece store where they go on. */
async function inShortTurns({ runtime }: TestApi, work: () => Promise<void>): Promise<void> {
  const { turnMs } = runtime;
  runtime.turnMs = 0;
  await work();
  runtime.turnMs = turnMs;
}

async function converse(story: Story, project: string): Promise<void> {
  const { api, settle } = story;
  const paths: string[] = [];
  // More than the rewriter of retention processes before it stores a checkpoint.
  for (let n = 0; n < 22; n += 1) {
    paths.push(await api.createConversation({ externalUserId: n < 2 ? 'erased' : 'kept' }, project));
  }
  await api.createConversation({ externalUserId: 'kept', test: true }, project);
  // A unit of a rollout goes with its conversation.
  const guard = { score: 'csat', better: 'higher', maxHarm: 0.1, minimum: 50, maxUnknown: 0.2 };
  await storeRollout(api, project, { guards: [guard] });
  for (const [number, externalUserId] of ['erased', 'kept'].entries()) {
    const assignment = assignmentOf('candidate', number);
    const path = await api.createConversation({ externalUserId, assignment }, project);
    await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  }
  await settle();
  await api.call('POST', `/projects/${project}/evaluators`, { body: ratingBody });
  const messages = [{ role: 'user', text: 'hello', clientMessageId: 'm' }];
  for (const path of paths.slice(0, 4)) {
    await api.call('POST', `${path}/messages`, { body: { messages }, idempotencyKey: path });
    await api.call('PUT', `${path}/scores/csat`, { body: { value: 4 } });
  }
  // It expires within a day of the change, so the files that have it are removed.
  const startedAt = new Date(Date.now() - 9.5 * dayMs).toISOString();
  await api.createConversation({ startedAt }, project);
  const exportAll = (body: Json) => api.call('POST', `/projects/${project}/exports`, { body });
  await exportAll({ what: 'conversations' });
  await settle();
  await inShortTurns(api, async () => {
    await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 10 } } });
    await settle();
  });
  await exportAll({ what: 'conversations' });
  await exportAll({ what: 'conversations', filters: { externalUserId: 'erased' } });
  await exportAll({ what: 'audit' });
  // The job of a credential that is bound to environments has them, and reads the deployments of the conversations.
  await api.createConversation({ deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }, project);
  const { secret: key } = await api.createKey({ scopes: ['conversations:read'], environments: ['staging'] });
  await api.call('POST', `/projects/${project}/exports`, { key, body: { what: 'conversations' } });
  await settle();

  const [, , third = '', , expired = '', late = ''] = paths;
  const all = await storedOf(api, 'conversations');
  const find = (path: string, ending: string) => {
    const item = all.find(({ tenant, id }) => path.endsWith(`${id}`) && `${tenant}`.endsWith(ending));
    if (!item) throw new Error(`${path} is not stored in …${ending}`);
    return item;
  };
  await inShortTurns(api, async () => {
    await api.call('DELETE', third);
    await settle();
  });
  await restore(api, find(third, project));
  await settle();
  await remove(api, find(expired, project));
  await settle();
  api.advance(hourMs);
  await deliverDue(story, conversationSweeper, late);
  await settle();
  await api.call('POST', `/projects/${project}/conversations/erase`, { body: { externalUserId: 'erased' } });
  await settle();
  await api.call('POST', `/projects/${project}/conversations/reindex`);
  await settle();
}

/** A conversation is erased while its message is being indexed. */
async function eraseLate({ api, settle, used }: Story, project: string): Promise<void> {
  const path = await api.createConversation({}, project);
  await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'late' }] } });
  const [message] = (await storedOf(api, 'messages')).filter(({ text }) => text === 'late');
  let isErased = false;
  const { client, taken } = noting(
    intercept(api.runtime.client, (command, proceed) => {
      if (isErased || !(command instanceof UpdateCommand)) return undefined;
      isErased = true;
      return api.call('DELETE', path).then(proceed);
    }),
  );
  const runtime = { ...api.runtime, client };
  await deliver({ runtime }, messageIndexer, [changeRecord(undefined, message)]);
  used.set(messageIndexer.id, [...(used.get(messageIndexer.id) ?? []), ...taken]);
  await settle();
}

async function revoke({ api, settle }: Story): Promise<void> {
  const { id, secret } = await api.createKey({ scopes: ['api-keys:write', ...webhookScopes] });
  await api.createKey({ scopes: ['api-keys:read'] }, secret);
  expect((await api.call('POST', '/webhooks', { key: secret, body: webhookBody })).status).toBe(201);
  await settle();
  await api.call('PATCH', `/api-keys/${id}`, { body: { rateLimit: { requests: 100, per: '1s' } } });
  await settle();
  await api.call('DELETE', `/api-keys/${id}?children=true`);
  await settle();
}

async function publish(story: Story, project: string): Promise<void> {
  const { api, settle } = story;
  const post = async (path: string, body?: Json, idempotencyKey?: string) => {
    const options = { ...(body && { body }), ...(idempotencyKey && { idempotencyKey }) };
    const answer = await api.call('POST', `/projects/${project}${path}`, options);
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.data;
  };
  await post('/avatars', avatarBody);
  const documents = '/knowledge/documents';
  const metadata = { country: 'DE' };
  const { id } = await post(documents, { title: 'Returns', content: 'within 30 days', metadata }, 'returns');
  for (const environment of ['production', 'staging']) {
    await post(documents, { title: environment, content: 'a horn' });
    await post('/knowledge/reindex');
    await settle();
    await post('/deployments', { environment });
    // The next version has the values of a field.
    const body = { settings: { searchFields: ['country'] } };
    await api.call('PATCH', `/projects/${project}`, { body });
  }
  await post(documents, longDocument('Refunds'));
  const { id: exported } = await post('/exports', { what: 'documents' });
  const job = await post('/knowledge/reindex');
  await settle();
  await deliverDue(story, eventWriter, `${job.id}`);
  await api.call('DELETE', `/projects/${project}${documents}/${id}?expunge=true`);
  await settle();
  await deliverDue(story, exportRemover, `${exported}`);
  // A file whose text has several parts, which is expunged after it was read.
  const { limits } = api.runtime;
  api.runtime.limits = { ...limits, live: { ...limits.live, quotas: { bytes: 1_000_000 } } };
  const text = Buffer.from(pagesOfText(60, 5000));
  const uploadId = await upload(api, project, text, 'knowledge');
  const { id: file } = await post(documents, { title: 'File', uploadId, mimeType: 'text/plain' });
  api.runtime.limits = limits;
  await settle();
  await api.call('DELETE', `/projects/${project}${documents}/${file}?expunge=true`);
  await settle();
  // A re-index ends a file that nobody has read in time. It was to replace a content.
  await post(documents, { title: 'Unread', externalId: 'unread', content: 'a bell' });
  const body = { title: 'Unread', uploadId: await upload(api, project, text, 'knowledge') };
  await api.call('PUT', `/projects/${project}${documents}/by-external-id/unread`, { body });
  api.advance(5 * hourMs);
  await post('/knowledge/reindex');
  await settle();
  // Nobody else has the index of this environment, and one of its deployments is staged.
  await post('/deployments', { environment: 'staging', promote: false });
  await api.call('DELETE', `/projects/${project}/environments/staging`);
  await settle();
}

/** A compressed file has conversations with and without an externalId, one of them with many messages, and the tenant has quotas. */
async function importFile({ api, settle }: Story, project: string): Promise<void> {
  const quotas = { conversations: 1000, messages: 1000, bytes: 1_000_000 };
  const { limits } = api.runtime;
  api.runtime.limits = { ...limits, live: { ...limits.live, quotas } };
  const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  const source = await api.createConversation({}, await api.createProject());
  const { data } = await api.call('GET', source);
  const messages = Array.from({ length: 40 }, (_, n) => ({
    role: 'user',
    text: 'hello',
    at: '2026-03-01T09:30:00Z',
    clientMessageId: `${n}`,
  }));
  const named = { externalId: 'imported', avatarId, startedAt: '2026-03-01T09:30:00Z', messages };
  const { id, startedAt } = data;
  await requestImport(api, project, gzipSync(textOf([named, { id, avatarId, startedAt }, named])));
  // The import of a credential that is bound to environments reads the deployments of the conversations.
  const deployed = { ...named, externalId: 'deployed', deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
  const { secret: key } = await api.createKey({ scopes: ['conversations:write'], environments: ['staging'] });
  await requestImport(api, await api.createProject(), textOf([deployed]), key);
  await settle();
  api.runtime.limits = limits;
}

/** A receiver fails, asks for a pause and is gone; a webhook recovers and is deleted. Another one gets everything that follows. */
async function notify(story: Story): Promise<void> {
  const { api, settle, receiver } = story;
  const create = async (body: Json) => {
    const { data } = await api.call('POST', '/webhooks', { body: { url: receiver.url, ...body } });
    return `/webhooks/${data.id}`;
  };
  const converseAndEnd = async () => {
    const conversation = await api.createConversation();
    const messages = [{ role: 'user', text: 'hello' }];
    await api.call('POST', `${conversation}/messages`, { body: { messages } });
    await api.call('POST', `${conversation}/end`, { body: { reason: 'done' } });
    return conversation;
  };
  const path = await create({ eventTypes: ['conversation.*'], include: ['messages'] });
  receiver.respond(answering(503, { 'Retry-After': '3600' }));
  await api.createConversation();
  await settle();
  receiver.respond(answering(200, {}, 'ok'));
  api.advance(3 * hourMs);
  const due = (await dueNotices(api)).find(({ table }) => table === 'deliveries');
  await deliverDue(story, webhookSender, `${due?.id}`);
  const conversation = await converseAndEnd();
  await settle();
  receiver.respond(answering(410));
  await api.createConversation();
  await settle();
  receiver.respond(answering(200, {}, 'ok'));
  await converseAndEnd();
  await settle();
  await api.call('PATCH', path, { body: { disabled: false } });
  await api.call('POST', `${path}/recover`, { body: { since: '2026-03-01T09:30:00Z' } });
  await settle();
  await api.call('DELETE', conversation);
  await settle();
  await api.call('DELETE', path);
  await settle();
  await create({ eventTypes: ['*'] });
}

/** While the organisation is suspended, jobs and deliveries wait. It is resumed when they have just begun to, or later. */
async function suspendAndResume({ api, settle, used }: Story, project: string): Promise<void> {
  const post = (path: string, body?: Json) => api.call('POST', path, body && { body });
  const { data } = await api.call('GET', '/webhooks');
  const [webhook] = data.items as Json[];
  const testWebhook = () => post(`/webhooks/${webhook?.id}/test`);
  await settle();
  await testWebhook();
  await post(`/projects/${project}/knowledge/reindex`);
  await post(`/projects/${project}/conversations/reindex`);
  await post(`/projects/${project}/evaluators`, ruleBody);
  await post(`/projects/${project}/evaluation-runs`, {});
  const { data: exported } = await post(`/projects/${project}/exports`, { what: 'audit' });
  await requestImport(api, project, textOf([{}]));
  const uploadId = await upload(api, project, Buffer.from('a horn'), 'knowledge');
  await post(`/projects/${project}/knowledge/documents`, { title: 'Horn', uploadId });
  const waiting = [
    webhookSender,
    knowledgeIndexer,
    conversationReindexer,
    evaluationRunner,
    exporter,
    importer,
  ];
  await removeWhileSuspended({ api, used }, project, `${exported.id}`);
  for (const worker of [...waiting, knowledgeExtractor]) {
    const [source = 'jobs'] = worker.sources;
    await waitUntilResumed({ api, used }, worker, (runtime) =>
      handleAll(api, worker, source, ({ id }) => /^(job|dlv|kdoc)_/.test(id), runtime),
    );
  }
  await settle();
  await testWebhook();
  await suspendNow(api);
  await settle();
  await resumeNow(api);
  await settle();
}

/** The time of the files of an export is over, while its job waits. */
async function removeWhileSuspended({ api, used }: Pick<Story, 'api' | 'used'>, project: string, id: string) {
  const tenant = `${api.organisationId}#live` as const;
  const partition = [project];
  const notice: Notice = { table: 'jobs', kind: 'DUE', tenant, partition, id, atMs: 0, sequence: '' };
  await waitUntilResumed({ api, used }, exportRemover, (runtime) =>
    deliverNotices(runtime, exportRemover, [notice]),
  );
}

/** A worker works while the organisation is suspended. The organisation is resumed when the worker has begun to wait. */
async function waitUntilResumed(
  { api, used }: Pick<Story, 'api' | 'used'>,
  { id }: Worker,
  work: (runtime: Runtime) => Promise<unknown>,
): Promise<void> {
  await suspendNow(api);
  let isResumed = false;
  const { client, taken } = noting(
    intercept(api.runtime.client, (command, proceed) => {
      if (isResumed || !JSON.stringify(command.input).includes('#waiting')) return undefined;
      isResumed = true;
      return resumeNow(api).then(proceed);
    }),
  );
  await work({ ...api.runtime, client });
  used.set(id, [...(used.get(id) ?? []), ...taken]);
  if (!isResumed) throw new Error(`${id} has not waited`);
}

/** All places of the organisation are taken by functions that were killed, so a notice waits for one. */
async function waitForPlace(
  { api, used, ended }: Pick<Story, 'api' | 'used' | 'ended'>,
  project: string,
): Promise<void> {
  const { tableNames, nowMs } = api.runtime;
  const { id: worker } = evaluationRunner;
  const tenant = `${api.organisationId}#live` as const;
  const stamp = {
    holder: 'killed',
    ttl: Math.ceil((nowMs() + minuteMs) / 1000),
    changedBy: 'test',
    changedIn: 'test',
  };
  for (const id of numbered(placesOf(evaluationRunner))) {
    const Item = { tenant: `${tenant}#places#${worker}`, id, ...stamp };
    await api.runtime.client.send(new PutCommand({ TableName: tableNames.schedule, Item }));
  }
  const notice: Notice = {
    table: 'jobs',
    kind: 'INSERT',
    tenant,
    partition: [project],
    id: 'job_',
    atMs: 0,
    sequence: '',
  };
  await deliverNotices(api.runtime, evaluationRunner, [notice]);
  api.advance(2 * minuteMs);
  for (let n = 0; n < 2; n += 1) await deliverDue({ api, used, ended }, evaluationRunner, worker);
}

/** @returns the actions of each worker, by its id, and the workers of which a turn has ended before their work */
export async function tellStory(
  adjust: (runtime: Runtime) => Partial<Runtime> = () => ({}),
): Promise<{ used: Used; ended: Ended }> {
  const api = await openApi((runtime) => ({
    ...toLoopback(runtime),
    sleep: async () => {},
    ...adjust(runtime),
  }));
  const receiver = await openReceiver();
  try {
    const used: Used = new Map();
    const ended: Ended = new Set();
    await tell({ api, used, ended, receiver, settle: settleWith(api, used, ended) });
    return { used, ended };
  } finally {
    await receiver.close();
  }
}

async function tell(story: Story): Promise<void> {
  const { api, settle } = story;
  await revoke(story);
  await notify(story);
  const project = await api.createProject();
  await converse(story, project);
  await eraseLate(story, project);
  await importFile(story, await api.createProject());
  await crawl(story, project);
  await evaluate(story, project);
  await rollOut(story, project, {
    hold: (id) => deliverDue(story, rolloutMover, id),
    countSuspended: (id) =>
      waitUntilResumed(story, conversationCounter, (runtime) =>
        handleAll(api, conversationCounter, 'conversations', (item) => item.id === id, runtime),
      ),
  });
  await reply(story, project);
  await waitForPlace(story, project);
  await publish(story, project);
  await suspendAndResume(story, await api.createProject());
  const removed = (await dueNotices(api)).find(({ table }) => table === 'knowledge');
  await inShortTurns(api, () => deliverDue(story, eventWriter, `${removed?.id}`));
  await api.call('DELETE', `/projects/${project}`);
  await settle();
  api.advance(8 * dayMs);
  await deliverDue(story, projectPurger, project);
  await settle();
  const { data } = await api.call('GET', `/projects/${project}/purge`);
  if (data.status !== 'succeeded') throw new Error('the story did not end with a purged project');
}
