/** The table in docs/security.md is true: it says what happens to the work of a credential when the credential ends. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { rootScopes } from '../../lib/base/scopes.ts';
import { hourMs, minuteMs, timestamp } from '../../lib/base/time.ts';
import { openApi, storedOf, type TestApi, toLoopback } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import { ruleBody } from '../../samples/samples.ts';
import { root } from '../../scripts/shared/root.ts';
import conversationEvaluator from '../../workers/conversation-evaluator.ts';
import evaluationRunner from '../../workers/evaluation-runner.ts';
import eventWriter from '../../workers/event-writer.ts';
import exporter from '../../workers/exporter.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import knowledgeExtractor from '../../workers/knowledge-extractor.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import replyRunner from '../../workers/reply-runner.ts';
import rolloutMover from '../../workers/rollout-mover.ts';
import sourceRefresher from '../../workers/source-refresher.ts';
import webhookSender from '../../workers/webhook-sender.ts';
import { endedNotice, factsOf } from '../support/evaluations.ts';
import { exportNow, fetched, type Part } from '../support/exports.ts';
import { upload } from '../support/imports.ts';
import { htmlPage, openSite } from '../support/site.ts';
import { handleAll, ignorePauses, resumeAndGoOn, suspendNow } from '../support/suspensions.ts';
import { answering, openReceiver } from '../support/webhooks.ts';
import { createIdentity, openWorkloadIssuer, tokenFor } from '../support/workloads.ts';

const site = await openSite(new Map([['/', htmlPage('Home', 'Welcome.')]]));
const issuer = await openWorkloadIssuer();
afterAll(() => Promise.all([site.close(), issuer.close()]));

type Kind = 'key' | 'identity';

/** An organisation, a project, and a credential that starts things. Only waits let the time of a request pass. */
async function open(kind: Kind) {
  const waiting = { ms: 0, act: async (): Promise<unknown> => undefined };
  const api = await openApi((runtime) => ({
    ...toLoopback(runtime),
    limits: {
      ...runtime.limits,
      live: { ...runtime.limits.live, quotas: { ...runtime.limits.live.quotas, modelCostUsd: 1 } },
    },
    randomFraction: () => 0,
    elapsedMs: () => waiting.ms,
    async sleep(ms: number) {
      waiting.ms += ms;
      if (waiting.ms === 2000) await waiting.act();
    },
  }));
  const project = await api.createProject();
  const make = kind === 'key' ? createKey : createIdentityWithToken;
  const { path, ...key } = await make(api);
  return { api, project, key, path, waiting };
}

/** Near its end, so that its work outlives it. */
const nearEnd = (api: TestApi) => api.advance(hourMs - 5 * minuteMs);

async function createKey(api: TestApi) {
  const key = await api.createKey({ scopes: rootScopes, expiresIn: '1h' });
  nearEnd(api);
  return { ...key, path: `/api-keys/${key.id}` };
}

/** @returns the identity, and a token of it as the secret */
async function createIdentityWithToken(api: TestApi) {
  const expiresAt = timestamp(api.runtime.nowMs() + hourMs);
  const identity = await createIdentity(api, issuer.url, { scopes: rootScopes, expiresAt });
  nearEnd(api);
  const [signer] = issuer.signers;
  if (!signer) throw new Error('the issuer has no key');
  const secret = tokenFor(api, identity, signer);
  return { id: identity.id, secret, path: `/workload-identities/${identity.id}` };
}
type Opened = Awaited<ReturnType<typeof open>>;

const undo = ({ api }: Opened): Promise<void> => resumeAndGoOn(api).catch(ignorePauses);

/** How a credential ends, or loses something. `undo` takes it back. */
type Ending = {
  /** The kind of credential. Default: a key. */
  kind?: Kind;
  end: (opened: Opened) => Promise<unknown>;
  undo?: (opened: Opened) => Promise<unknown>;
};

async function expire({ api, waiting }: Opened): Promise<void> {
  api.advance(6 * minuteMs);
  // The time of a request that waits counts from its start.
  waiting.ms += 6 * minuteMs;
}

async function endWithChildren({ api, key, path }: Opened): Promise<void> {
  await api.call('DELETE', `${path}?children=true`);
  await handleAll(api, keyRevoker, 'apiKeys', ({ id }) => id === key.id);
}

const endings: Readonly<Record<string, Ending>> = {
  'is rotated': {
    end: ({ api, key }) => api.call('POST', `/api-keys/${key.id}/rotate`, { body: { overlap: '0s' } }),
  },
  expires: { end: expire },
  'is revoked': { end: ({ api, path }) => api.call('DELETE', path) },
  'is revoked with its children': { end: endWithChildren },
  'loses the scope': {
    end: ({ api, key }) => api.call('PATCH', `/api-keys/${key.id}`, { body: { scopes: ['projects:read'] } }),
  },
  'loses the project': {
    end: ({ api, project }) => api.call('DELETE', `/projects/${project}`),
  },
  'is suspended': { end: ({ api }) => suspendNow(api), undo },
  'identity expires': { kind: 'identity', end: expire },
  'identity is deleted': { kind: 'identity', end: ({ api, path }) => api.call('DELETE', path) },
  'identity is deleted with its children': { kind: 'identity', end: endWithChildren },
  'identity is suspended': {
    kind: 'identity',
    end: ({ api, path }) => api.call('PATCH', path, { body: { status: 'suspended' } }),
    undo: ({ api, path }) => api.call('PATCH', path, { body: { status: 'active' } }),
  },
};

const addDocument = ({ call }: Opened['api'], project: string) =>
  call('POST', `/projects/${project}/knowledge/documents`, {
    body: { title: 'Returns', content: 'Within 30 days.' },
  });

async function openWebhookOf({ api, project, key }: Opened) {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  await api.call('POST', '/webhooks', {
    key: key.secret,
    body: { url: receiver.url, eventTypes: ['project.*'] },
  });
  const changed = async () => {
    await api.call('PATCH', `/projects/${project}`, { body: { name: `${receiver.received.length}` } });
    await handleAll(api, eventWriter, 'projects', ({ id }) => id === project);
  };
  const sendAll = () =>
    handleAll(api, webhookSender, 'deliveries', ({ id }) => id.startsWith('dlv_')).catch(ignorePauses);
  return { receiver, changed, sendAll };
}

/**
 * What a key starts: starts it, lets the key end, and returns a function that says whether the thing acts, or can be used, now.
 */
type Start = (opened: Opened, end: () => Promise<unknown>) => Promise<() => Promise<boolean>>;

const things: Readonly<Record<string, Start>> = {
  async 'a key that it created'({ api, key }, end) {
    const child = await api.createKey({ scopes: ['projects:read'] }, key.secret);
    await end();
    return async () => (await api.call('GET', '/me', { key: child.secret })).status === 200;
  },
  async 'a webhook'(opened, end) {
    const { receiver, changed, sendAll } = await openWebhookOf(opened);
    await end();
    return async () => {
      receiver.received.length = 0;
      await changed();
      await sendAll();
      return receiver.received.length > 0;
    };
  },
  async 'a pending delivery'(opened, end) {
    const { receiver, changed, sendAll } = await openWebhookOf(opened);
    receiver.respond(answering(503));
    await changed();
    await sendAll();
    expect(receiver.received.length).toBeGreaterThan(0);
    receiver.respond(answering(200));
    await end();
    return async () => {
      receiver.received.length = 0;
      opened.api.advance(minuteMs);
      await sendAll();
      return receiver.received.length > 0;
    };
  },
  async 'a source that is refreshed'({ api, project, key }, end) {
    const path = `/projects/${project}/knowledge/sources`;
    const body = { type: 'url', url: site.url, refresh: '1h' };
    const { data: source } = await api.call('POST', path, { key: key.secret, body });
    await end();
    return async () => {
      site.requests.length = 0;
      await handleAll(api, sourceRefresher, 'knowledge', ({ id }) => id === source.id);
      await handleAll(api, sourceRefresher, 'jobs', ({ id }) => id.startsWith('job_'));
      return site.requests.length > 0;
    };
  },
  async 'an evaluator'({ api, project, key }, end) {
    await api.call('POST', `/projects/${project}/evaluators`, { key: key.secret, body: ruleBody });
    const path = await api.createConversation({}, project);
    await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
    await end();
    return async () => {
      await deliverNotices(api.runtime, conversationEvaluator, [endedNotice(api, path)]);
      return (await factsOf(api)).size > 0;
    };
  },
  async 'a rollout'({ api, project, key }, end) {
    const path = `/projects/${project}`;
    const deploy = async (promote: boolean) => {
      const body = { environment: 'production', promote };
      return (await api.call('POST', `${path}/deployments`, { body })).data.id;
    };
    await deploy(true);
    const deploymentId = await deploy(false);
    const steps = [10, 20, 30].map((percent) => ({ percent, holdMinutes: 5 }));
    const rollout = `${path}/environments/production/rollout`;
    await api.call('POST', rollout, { key: key.secret, body: { deploymentId, steps } });
    await end();
    const percent = async () =>
      (await storedOf(api, 'deployments')).find(({ tenant }) => `${tenant}`.endsWith('#rollouts'))?.percent;
    return async () => {
      const before = await percent();
      api.advance(6 * minuteMs);
      await handleAll(api, rolloutMover, 'deployments', ({ id }) => id.startsWith('rol_'));
      return (await percent()) !== before;
    };
  },
  async 'an evaluation run'({ api, project, key }, end) {
    const path = `/projects/${project}`;
    await api.call('POST', `${path}/evaluators`, { body: ruleBody });
    await api.createConversation({}, project);
    await api.call('POST', `${path}/evaluation-runs`, { key: key.secret, body: {} });
    await end();
    return async () => {
      await handleAll(api, evaluationRunner, 'jobs', ({ id }) => id.startsWith('job_'));
      return (await factsOf(api)).size > 0;
    };
  },
  async 'a refresh of a source'({ api, project, key }, end) {
    const path = `/projects/${project}/knowledge/sources`;
    const { data: source } = await api.call('POST', path, { body: { type: 'url', url: site.url } });
    await api.call('POST', `${path}/${source.id}/refresh`, { key: key.secret, body: {} });
    site.requests.length = 0;
    await end();
    return async () => {
      await handleAll(api, sourceRefresher, 'jobs', ({ id }) => id.startsWith('job_'));
      return site.requests.length > 0;
    };
  },
  async 'an export'({ api, project, key }, end) {
    await addDocument(api, project);
    const body = { what: 'documents' };
    await api.call('POST', `/projects/${project}/exports`, { key: key.secret, body });
    await end();
    return async () => {
      await handleAll(api, exporter, 'jobs', ({ id }) => id.startsWith('job_'));
      return api.files.size > 0;
    };
  },
  async 'any other job'({ api, project, key }, end) {
    await addDocument(api, project);
    const path = `/projects/${project}/knowledge/reindex`;
    const { data: job } = await api.call('POST', path, { key: key.secret });
    await end();
    return async () => {
      await handleAll(api, knowledgeIndexer, 'jobs', ({ id }) => id === job.id);
      return (await storedOf(api, 'jobs')).some(({ id, status }) => id === job.id && status === 'succeeded');
    };
  },
  async 'a reply that is queued'({ api, project, key }, end) {
    const path = `/projects/${project}`;
    const model = { modelId: 'local.judge' };
    const persona = { prompt: 'You are Ada.' };
    const { data: avatar } = await api.call('POST', `${path}/avatars`, {
      body: { name: 'Ada', persona, model },
    });
    await api.call('POST', `${path}/deployments`, { body: { environment: 'production' } });
    const conversation = await api.createConversation({ avatarId: avatar.id }, project);
    const body = { input: { text: 'Hello?' }, target: { environment: 'production' } };
    const { data } = await api.call('POST', `${conversation}/replies`, { key: key.secret, body });
    await end();
    return async () => {
      await handleAll(api, replyRunner, 'messages', ({ id }) => id === data.id);
      return (await storedOf(api, 'messages')).some(({ id, status }) => id === data.id && status === 'done');
    };
  },
  async 'a file that is read'({ api, project, key }, end) {
    const uploadId = await upload(api, project, Buffer.from('Within 30 days.'), 'knowledge');
    const path = `/projects/${project}/knowledge/documents`;
    const body = { title: 'Returns', uploadId };
    const { data: document } = await api.call('POST', path, { key: key.secret, body });
    await end();
    return async () => {
      await handleAll(api, knowledgeExtractor, 'knowledge', ({ id }) => id === document.id);
      const stored = await storedOf(api, 'knowledge');
      return stored.some(({ id, extraction }) => id === document.id && extraction === 'done');
    };
  },
  async 'a request that waits'({ api, project, key, waiting }, end) {
    const path = await api.createConversation({}, project);
    waiting.act = end;
    const { status } = await api.call('GET', `${path}/transcript?waitSeconds=20`, { key: key.secret });
    return async () => status === 200;
  },
  async 'an upload'({ api, project, key }, end) {
    const path = `/projects/${project}`;
    const sent = { key: key.secret, body: { bytes: 3 } };
    const { data } = await api.call('POST', `${path}/uploads`, sent);
    await end();
    api.files.set(/memory:(.*)\?/.exec(`${data.url}`)?.[1] ?? '', Buffer.from('{}\n'));
    const body = { uploadId: data.id };
    return async () => (await api.call('POST', `${path}/conversations/import-file`, { body })).status === 202;
  },
  async 'a link to a file of an export'({ api, project, key }, end) {
    await addDocument(api, project);
    const path = await exportNow(api, project, { what: 'documents' });
    const { data } = await api.call('GET', path, { key: key.secret });
    const [part] = data.parts as Part[];
    // Nothing takes a signed link back, so it is short-lived.
    expect(Number(/\?seconds=(\d+)/.exec(`${part?.url}`)?.[1])).toBeLessThanOrEqual(900);
    await end();
    return async () => fetched(api, part?.url ?? null) !== undefined;
  },
  async 'a sealed secret'({ api, key }, end) {
    const body = { name: 'sealed', scopes: ['projects:read'] };
    const create = () => api.call('POST', '/api-keys', { key: key.secret, idempotencyKey: 'sealed', body });
    const { data } = await create();
    await end();
    return async () => (await create()).data?.secret === data.secret;
  },
};

/** @returns the rows of the table, by the names in its first column and its head */
function documented(): Map<string, Record<string, string>> {
  const text = readFileSync(resolve(root, 'docs/security.md'), 'utf8');
  const section = text.slice(text.indexOf('## What a credential has started'));
  const [head = [], , ...rows] = [...section.matchAll(/^\|(.*)\|$/gm)]
    .slice(0, Object.keys(things).length + 2)
    .map(([, cells = '']) => cells.split('|').map((cell) => cell.trim()));
  return new Map(
    rows.map(([thing = '', ...cells]) => [
      thing,
      Object.fromEntries(cells.map((cell, index) => [head[index + 1] ?? '', cell])),
    ]),
  );
}

const table = documented();

test('the table in docs/security.md has everything that is tested here', () => {
  expect([...table.keys()]).toEqual(Object.keys(things));
  for (const row of table.values()) expect(Object.keys(row)).toEqual(Object.keys(endings));
});

/** `npm test` shows all ends of a credential for this one, and a revocation for all others. */
const [firstThing] = Object.keys(things);

describe.each(Object.entries(things))('%s', (thing, start) => {
  const title = 'when the credential %s';
  const isAsDocumented = async (ending: string, { kind = 'key', end, undo }: Ending) => {
    const opened = await open(kind);
    const acts = await start(opened, () => end(opened));
    const actsNow = await acts();
    if (!actsNow) await undo?.(opened);
    const found = actsNow ? 'goes on' : undo && (await acts()) ? 'waits' : 'ends';
    expect(found).toBe(table.get(thing)?.[ending]);
  };
  const isShown = (ending: string) => ending === 'is revoked' || thing === firstThing;
  const [some, others] = [true, false].map((is) =>
    Object.entries(endings).filter(([ending]) => isShown(ending) === is),
  );
  test.each(some ?? [])(title, isAsDocumented);
  test.each(others ?? [])(title, { tags: ['long'] }, isAsDocumented);
});
