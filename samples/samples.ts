/** A successful request for every endpoint, with everything that it needs. */

import { defaultLimits, type StageLimits } from '../lib/base/stage-limits.ts';
import { localModel } from '../scripts/local/judge.ts';
import type { ContractApi, Json } from './api.ts';

export type Sample = {
  path: string;
  body?: Json;
  /** Another valid body, for endpoints with a body. */
  otherBody?: Json;
  /** The key that must send it. Default: the organisation's root key. */
  key?: string;
};

/** Limits of every kind, which no request reaches. */
export const wideLimits: StageLimits = {
  ...defaultLimits,
  live: {
    rateLimit: { requests: 100_000, per: '1h' },
    quotas: { documents: 1000, bytes: 1e6, conversations: 1000, messages: 1000, jobs: 100, waits: 50 },
  },
};

const project = async (api: ContractApi) => ({ path: `/projects/${await api.createProject()}` });

const documents = async (api: ContractApi) => ({ path: `${(await project(api)).path}/knowledge/documents` });
/** An existing document and its path. */
const document = async (api: ContractApi) => {
  const { path } = await documents(api);
  const body = { title: 'Returns', content: 'Within 30 days.', externalId: 'returns' };
  const { data } = await api.call('POST', path, { body });
  return { path: `${path}/${data.id}` };
};
/** A queued job and its path. */
const job = async (api: ContractApi) => {
  const { path } = await project(api);
  const { data } = await api.call('POST', `${path}/knowledge/reindex`);
  return { path: `${path}/jobs/${data.id}` };
};
/** A job that can be cancelled. If a worker may end it first, an already cancelled one. */
const cancellable = async (api: ContractApi) => {
  for (;;) {
    const { path } = await job(api);
    if (!api.worksByItself || (await api.call('POST', `${path}/cancel`)).status === 200) return { path };
  }
};
/** A project with an index. */
const indexed = async (api: ContractApi) => {
  const { path: documentPath } = await document(api);
  const path = documentPath.split('/').slice(0, 3).join('/');
  await reindexed(api, path);
  return { path };
};
const reindexed = async (api: ContractApi, path: string) => {
  const { data } = await api.call('POST', `${path}/knowledge/reindex`);
  await api.workOff(path.split('/')[2] ?? '', data.id as string);
  // Another worker may have it.
  await api.call('GET', `${path}/jobs/${data.id}?waitSeconds=20`);
};
/** A source whose site does not exist. */
const source = async (api: ContractApi) => {
  const path = `${(await project(api)).path}/knowledge/sources`;
  const { data } = await api.call('POST', path, {
    body: { type: 'site', url: 'https://docs.acme.example/' },
  });
  return { path: `${path}/${data.id}` };
};
/** A source with a page, which could not be read. */
const refreshed = async (api: ContractApi) => {
  const { path } = await source(api);
  const { data } = await api.call('POST', `${path}/refresh`, { body: {} });
  const [, , projectId = ''] = path.split('/');
  await api.workOff(projectId, data.id as string);
  await api.call('GET', `/projects/${projectId}/jobs/${data.id}?waitSeconds=20`);
  return { path };
};
export const webhookBody = {
  url: 'https://acme.example/hooks/platform',
  eventTypes: ['conversation.ended', 'job.*'],
};
/** What a key needs to create such a webhook. */
export const webhookScopes = ['webhooks:write', 'knowledge:read', 'conversations:read', 'audit:read'];

/** An organisation may have 50. Where all samples are of one, the oldest ones make room. */
async function makeRoom(api: ContractApi): Promise<void> {
  const { data } = await api.call('GET', '/webhooks?limit=100');
  const oldest = (data.items as Json[]).slice(35);
  if (oldest.length >= 10) for (const { id } of oldest) await api.call('DELETE', `/webhooks/${id}`);
}

const webhook = async (api: ContractApi, behind = '') => {
  await makeRoom(api);
  const { data } = await api.call('POST', '/webhooks', { body: webhookBody });
  return { path: `/webhooks/${data.id}${behind}` };
};
/** A delivery of a test. */
const delivered = async (api: ContractApi) => {
  const { path } = await webhook(api);
  const { data } = await api.call('POST', `${path}/test`);
  return { path: `${path}/deliveries/${data.id}` };
};
const apiKey = async (api: ContractApi) => ({ path: `/api-keys/${(await api.createKey()).id}` });

/** An identity whose issuer nobody can reach. */
export const identityBody = {
  name: 'deploy',
  issuer: 'https://oidc.acme.example',
  subject: 'system:serviceaccount:ci:deployer',
  claims: { environment: 'production' },
  scopes: ['projects:read', 'deploy:write'],
  jwks: {
    keys: [
      {
        kty: 'EC',
        kid: 'k1',
        crv: 'P-256',
        x: 'yLrRBcKVTzwtsPhV1D19NcScG1KXAbn_MEGOdsPILMI',
        y: 'V3DxWiXvi0kbWEhBRl59gnV09UDUlZ0NpuHV9-DW5Ek',
      },
    ],
  },
};

const identity = async (api: ContractApi) => {
  const { data } = await api.call('POST', '/workload-identities', { body: identityBody });
  return { path: `/workload-identities/${data.id}` };
};

export const avatarBody = { name: 'Ada', persona: { prompt: 'You are Ada.', language: 'en-GB' } };

const avatar = async (api: ContractApi, behind = '') => {
  const { path } = await project(api);
  const created = await api.call('POST', `${path}/avatars`, { body: avatarBody });
  return { path: `${path}/avatars/${created.data.id}${behind}` };
};

export const deploymentBody = { environment: 'production', git: { sha: '6d5f75d', ref: 'main' } };

/** A rollout of the staged deployment of a project, in two steps. */
const rolledOut = async (api: ContractApi, action = '') => {
  const { path, deployment } = await deployed(api, false);
  const { data } = await api.call('GET', deployment);
  const rollout = `${path}/environments/production/rollout`;
  const steps = [
    { percent: 10, holdMinutes: 60 },
    { percent: 50, pause: true },
  ];
  await api.call('POST', rollout, { body: { deploymentId: data.id, steps } });
  return { path: rollout + action, body: { reason: 'As planned.' }, otherBody: {} };
};

/** A project with an avatar, deployed twice. The second deployment stays staged if it is not promoted. */
const deployed = async (api: ContractApi, promote = true) => {
  const { path } = await project(api);
  await api.call('POST', `${path}/avatars`, { body: avatarBody });
  await api.call('POST', `${path}/deployments`, { body: deploymentBody });
  const { data } = await api.call('POST', `${path}/deployments`, { body: { ...deploymentBody, promote } });
  return { path, deployment: `${path}/deployments/${data.id}` };
};
const startedConversation = {
  avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  externalUserId: 'customer-4711',
  channel: 'web',
  tags: ['refund'],
};
const conversation = async (api: ContractApi) => ({
  path: await api.createConversation(startedConversation),
});

const questionBody = { input: { text: 'Can I send it back?', clientMessageId: 'q-1' } };
/** A conversation with an avatar that has a model, and whose deployment answers. */
const answerable = async (api: ContractApi) => {
  const { path } = await project(api);
  const model = { modelId: localModel.id, maxTokens: 512 };
  const { data: avatar } = await api.call('POST', `${path}/avatars`, { body: { ...avatarBody, model } });
  const { data: deployment } = await api.call('POST', `${path}/deployments`, { body: deploymentBody });
  const body = { ...startedConversation, avatarId: avatar.id, deploymentId: deployment.id };
  const { data } = await api.call('POST', `${path}/conversations`, { body });
  return { path: `${path}/conversations/${data.id}/replies` };
};
/** A reply that is queued. */
const replied = async (api: ContractApi) => {
  const { path } = await answerable(api);
  const { data, text } = await api.call('POST', path, { body: questionBody });
  if (!data.id) throw new Error(text);
  return { path: `${path}/${data.id}` };
};

export const ratingBody = { name: 'csat', kind: 'external', output: { type: 'number', min: 1, max: 5 } };
const moodBody = { name: 'mood', kind: 'external', output: { type: 'category', values: ['good', 'bad'] } };
export const ruleBody = {
  name: 'short',
  kind: 'rule',
  description: 'The conversation is short, and nobody says sorry.',
  rule: { all: [{ messages: { lte: 4 } }, { not: { contains: 'sorry' } }] },
};
const evaluator = async (api: ContractApi, behind = '') => {
  const path = `${(await project(api)).path}/evaluators`;
  const { data } = await api.call('POST', path, { body: ruleBody });
  return { path: `${path}/${data.id}${behind}` };
};
/** A conversation with a message, in a project with an evaluator. */
const rated = async (api: ContractApi, evaluator: Json = ratingBody) => {
  const { path } = await conversation(api);
  const messages = [{ role: 'user', text: 'Thank you.' }];
  await api.call('POST', `${path}/messages`, { body: { messages } });
  await api.call('POST', path.replace(/conversations.*$/, 'evaluators'), { body: evaluator });
  return { path, score: `${path}/scores/${evaluator.name}` };
};
/** The same, with a score. */
const scored = async (api: ContractApi) => {
  const { path, score } = await rated(api);
  await api.call('PUT', score, { body: { value: 4, rationale: 'The user thanks.', evidence: [1] } });
  return { path };
};

export const samples: Record<string, (api: ContractApi) => Promise<Sample>> = {
  'api-keys.list': async () => ({ path: '/api-keys' }),
  'api-keys.create': async () => ({
    path: '/api-keys',
    body: { name: 'ci', scopes: ['projects:read', 'deploy:write'], expiresIn: '30d' },
    otherBody: { name: 'cron', scopes: ['projects:read'] },
  }),
  'api-keys.me': async () => ({ path: '/api-keys/me' }),
  'workload-identities.list': async (api) => {
    await identity(api);
    return { path: '/workload-identities' };
  },
  'workload-identities.create': async () => ({
    path: '/workload-identities',
    body: identityBody,
    otherBody: { ...identityBody, name: 'cron', subject: 'system:serviceaccount:ci:cron' },
  }),
  'workload-identities.get': identity,
  'workload-identities.update': async (api) => ({
    ...(await identity(api)),
    body: { name: 'deployer-2' },
    otherBody: { subject: 'system:serviceaccount:ci:deployer-*' },
  }),
  'workload-identities.delete': identity,
  'me.get': async () => ({ path: '/me' }),
  'api-keys.get': apiKey,
  'api-keys.update': async (api) => ({
    path: `/api-keys/${(await api.createKey({ scopes: ['api-keys:write'] })).id}`,
    body: { name: 'renamed' },
    otherBody: { scopes: ['audit:read'] },
  }),
  'api-keys.revoke': apiKey,
  'api-keys.revoke-me': async (api) => {
    const path = '/api-keys/me';
    const { secret: key } = await api.createKey();
    // The first use of a key in an hour is noted, which is no part of what the request costs.
    await api.call('GET', path, { key });
    return { path, key };
  },
  'api-keys.rotate': async (api) => ({
    path: `/api-keys/${(await api.createKey({ scopes: ['api-keys:read'] })).id}/rotate`,
    body: { overlap: '24h' },
    otherBody: { overlap: '0' },
  }),
  'audit-events.list': async (api) => {
    await api.createProject({ name: 'Support' });
    await api.logChanges();
    return { path: '/audit-events' };
  },
  'audit-events.get': async (api) => {
    await api.createProject({ name: 'Support' });
    await api.logChanges();
    const { data } = await api.call('GET', '/audit-events');
    return { path: `/audit-events/${(data.items as Json[])[0]?.id}` };
  },
  'events.list': async (api) => {
    await api.createProject({ name: 'Support' });
    await api.logChanges();
    return { path: '/events' };
  },
  'events.get': async (api) => {
    await api.createProject({ name: 'Support' });
    await api.logChanges();
    const { data } = await api.call('GET', '/events?type=project.*');
    return { path: `/events/${(data.items as Json[])[0]?.id}` };
  },
  'avatars.list': async (api) => {
    const { path } = await avatar(api);
    return { path: path.slice(0, path.lastIndexOf('/')) };
  },
  'avatars.create': async (api) => ({
    path: `${(await project(api)).path}/avatars`,
    body: {
      ...avatarBody,
      voice: { provider: 'elevenlabs', voiceId: '21m00Tcm4TlvDq8ikWAM' },
      imageUrl: 'https://cdn.example.com/ada.png',
      knowledgeTags: ['orders'],
      metadata: { team: 'support' },
    },
    otherBody: { name: 'Bob', persona: { prompt: 'You are Bob.' } },
  }),
  'avatars.put': async (api) => ({
    path: `${(await project(api)).path}/avatars/by-external-id/ada`,
    body: avatarBody,
    otherBody: { name: 'Bob', persona: { prompt: 'You are Bob.' } },
  }),
  'avatars.get': avatar,
  'avatars.update': async (api) => ({
    ...(await avatar(api)),
    body: { persona: { prompt: 'You are somebody else.' } },
    otherBody: { status: 'archived' },
  }),
  'avatars.delete': async (api) => {
    const { path } = await avatar(api);
    const body = { ...deploymentBody, promote: false };
    await api.call('POST', path.replace(/avatars.*/, 'deployments'), { body });
    return { path };
  },
  'avatars.versions.list': (api) => avatar(api, '/versions'),
  'avatars.versions.get': (api) => avatar(api, '/versions/1'),
  'deployments.list': async (api) => ({ path: `${(await deployed(api)).path}/deployments` }),
  'deployments.create': async (api) => ({
    path: `${(await deployed(api)).path}/deployments`,
    body: { ...deploymentBody, reason: 'Greets by name.' },
    otherBody: { ...deploymentBody, promote: false },
  }),
  'deployments.get': async (api) => ({ path: (await deployed(api)).deployment }),
  'deployments.changes': async (api) => {
    const { path } = await project(api);
    const { data: avatar } = await api.call('POST', `${path}/avatars`, { body: avatarBody });
    await api.call('POST', `${path}/deployments`, { body: deploymentBody });
    const body = { persona: { greeting: 'Welcome back!' } };
    await api.call('PATCH', `${path}/avatars/${avatar.id}`, { body });
    const added = { title: 'Shipping', content: 'Parcels leave on the same day.' };
    await api.call('POST', `${path}/knowledge/documents`, { body: added });
    await reindexed(api, path);
    const { data } = await api.call('POST', `${path}/deployments`, { body: deploymentBody });
    return { path: `${path}/deployments/${data.id}/changes` };
  },
  'deployments.promote': async (api) => ({ path: `${(await deployed(api, false)).deployment}/promote` }),
  'deployments.rollback': async (api) => ({
    path: `${(await deployed(api)).path}/rollback`,
    body: { environment: 'production', reason: 'It greets strangers by name.' },
    otherBody: { environment: 'production' },
  }),
  'deployments.config': async (api) => ({ path: `${(await deployed(api)).deployment}/config` }),
  'environments.list': async (api) => ({ path: `${(await deployed(api)).path}/environments` }),
  'environments.get': async (api) => ({ path: `${(await deployed(api)).path}/environments/production` }),
  'environments.delete': async (api) => ({ path: `${(await deployed(api)).path}/environments/production` }),
  'environments.config': async (api) => ({
    path: `${(await deployed(api)).path}/environments/production/config`,
  }),
  'rollouts.start': async (api) => {
    const { path, deployment } = await deployed(api, false);
    const { data } = await api.call('GET', deployment);
    return {
      path: `${path}/environments/production/rollout`,
      body: { deploymentId: data.id, percent: 10, reason: 'Greets by name.' },
      otherBody: {
        deploymentId: data.id,
        steps: [
          { percent: 10, holdMinutes: 60 },
          { percent: 50, pause: true },
        ],
      },
    };
  },
  'rollouts.get': async (api) => ({ path: (await rolledOut(api)).path }),
  'rollouts.list': async (api) => ({ path: `${(await rolledOut(api)).path}s` }),
  'rollouts.update': async (api) => ({
    ...(await rolledOut(api)),
    body: { percent: 20 },
    otherBody: { paused: true },
  }),
  'rollouts.advance': async (api) => rolledOut(api, '/advance'),
  'rollouts.complete': async (api) => rolledOut(api, '/complete'),
  'rollouts.abort': async (api) => rolledOut(api, '/abort'),
  'replies.list': async (api) => ({ path: (await replied(api)).path.replace(/\/rpl_\w+$/, '') }),
  'replies.create': async (api) => ({
    ...(await answerable(api)),
    body: questionBody,
    otherBody: { input: { text: 'And abroad?' }, target: { environment: 'production' }, maxCostUsd: 0.05 },
  }),
  'replies.get': replied,
  // The stream of a reply that has not ended would be open for long.
  'replies.events': async (api) => {
    const { path } = await replied(api);
    await api.call('POST', `${path}/cancel`);
    return { path: `${path}/events` };
  },
  'replies.cancel': async (api) => ({ path: `${(await replied(api)).path}/cancel` }),
  'evaluators.list': (api) => evaluator(api).then(({ path }) => ({ path: path.replace(/\/eval_\w+$/, '') })),
  'evaluators.create': async (api) => ({
    path: `${(await project(api)).path}/evaluators`,
    body: ruleBody,
    otherBody: ratingBody,
  }),
  'evaluators.get': evaluator,
  'evaluators.update': async (api) => ({
    ...(await evaluator(api)),
    body: { rule: { messages: { lte: 6 } }, appliesTo: { channel: 'web' } },
    otherBody: { status: 'archived' },
  }),
  'evaluators.versions.list': (api) => evaluator(api, '/versions'),
  'evaluators.versions.get': (api) => evaluator(api, '/versions/1'),
  'evaluation-runs.create': async (api) => ({
    path: (await evaluator(api)).path.replace(/evaluators.*$/, 'evaluation-runs'),
    body: { filter: { channel: 'web', startedFrom: '2026-03-01T00:00:00Z' }, evaluators: ['short'] },
    otherBody: { dryRun: true },
  }),
  'conversations.scores.list': async (api) => ({ path: `${(await scored(api)).path}/scores` }),
  'conversations.scores.put': async (api) => ({
    path: (await rated(api, moodBody)).score,
    body: { value: 'good', rationale: 'The user thanks.', evidence: [1], source: 'human' },
    otherBody: { value: 'bad' },
  }),
  'conversations.list': async (api) => {
    const { path } = await scored(api);
    return { path: path.replace(/\/conv_\w+$/, '') };
  },
  'conversations.create': async (api) => ({
    path: `${(await project(api)).path}/conversations`,
    body: { ...startedConversation, metadata: { order: '4711' }, startedAt: '2026-03-01T09:30:00Z' },
    otherBody: { avatarId: startedConversation.avatarId },
  }),
  'conversations.put': async (api) => ({
    path: `${(await project(api)).path}/conversations/by-external-id/call-2026-03-01-17`,
    body: { ...startedConversation, startedAt: '2026-03-01T09:30:00Z' },
    otherBody: { avatarId: startedConversation.avatarId },
  }),
  'conversations.import': async (api) => ({
    path: `${(await project(api)).path}/conversations/import`,
    body: {
      conversations: [
        {
          ...startedConversation,
          externalId: 'call-2026-03-01-17',
          startedAt: '2026-03-01T09:30:00Z',
          endedAt: '2026-03-01T09:32:00Z',
          messages: [
            { role: 'user', text: 'Where is my order?', at: '2026-03-01T09:30:05Z' },
            { role: 'avatar', text: 'On its way.', at: '2026-03-01T09:30:08Z' },
          ],
        },
      ],
    },
    otherBody: {
      conversations: [
        { ...startedConversation, externalId: 'call-18', startedAt: '2026-03-01T09:40:00Z', messages: [] },
      ],
    },
  }),
  'conversations.import-file': async (api) => {
    const { path } = await project(api);
    const upload = () => api.call('POST', `${path}/uploads`, { body: { bytes: 1000 } });
    const [first, other] = [await upload(), await upload()];
    return {
      path: `${path}/conversations/import-file`,
      body: { uploadId: first.data.id },
      otherBody: { uploadId: other.data.id },
    };
  },
  'conversations.get': scored,
  'conversations.update': async (api) => ({
    path: await api.createConversation(startedConversation),
    body: { tags: ['refund done'] },
    otherBody: { metadata: { order: '4712' } },
  }),
  'conversations.delete': conversation,
  'conversations.erase': async (api) => ({
    path: (await api.createConversation(startedConversation)).replace(/conv_\w+$/, 'erase'),
    body: { externalUserId: 'customer-4711' },
    otherBody: { externalUserId: 'customer-4712' },
  }),
  'conversations.reindex': async (api) => ({
    path: `${(await project(api)).path}/conversations/reindex`,
  }),
  'conversations.end': async (api) => ({
    path: `${(await conversation(api)).path}/end`,
    body: { reason: 'completed' },
    otherBody: { reason: 'abandoned' },
  }),
  'conversations.append': async (api) => ({
    path: `${(await conversation(api)).path}/messages`,
    body: {
      messages: [
        { role: 'user', text: 'Where is my order?', clientMessageId: 'm-1' },
        { role: 'avatar', text: 'On its way.', metadata: { toolCallId: 'call_4711' } },
      ],
    },
    otherBody: { messages: [{ role: 'user', text: 'Thank you.' }] },
  }),
  'conversations.stats': async (api) => {
    const { path } = await conversation(api);
    const stats = path.replace(/conv_\w+$/, 'stats');
    await api.countConversations(path.split('/')[2] ?? '', stats);
    return { path: stats };
  },
  'conversations.search': async (api) => {
    const path = await api.createConversation(startedConversation);
    const messages = [{ role: 'user', text: 'Where is my order?' }];
    await api.call('POST', `${path}/messages`, { body: { messages } });
    const search = `${path.replace(/\/conv_\w+$/, '')}/search?q=order`;
    await api.indexMessages(path.split('/')[2] ?? '', search);
    return { path: search };
  },
  'conversations.transcript': async (api) => {
    const { path } = await conversation(api);
    const messages = [{ role: 'user', text: 'Where is my order?' }];
    await api.call('POST', `${path}/messages`, { body: { messages } });
    return { path: `${path}/transcript` };
  },
  'console.page': async () => ({ path: '/console' }),
  'console.asset': async (api) => {
    const { text } = await api.call('GET', '/console');
    return { path: `/${/console\/[\w-]+\.js/.exec(text)?.[0]}` };
  },
  'docs.page': async () => ({ path: '/docs' }),
  'docs.asset': async (api) => {
    const { text } = await api.call('GET', '/docs');
    return { path: `/${/docs\/[\w-]+\.js/.exec(text)?.[0]}` };
  },
  'downloads.list': async () => ({ path: '/downloads' }),
  'downloads.get': async (api) => {
    const { data } = await api.call('GET', '/downloads');
    return { path: `/downloads/${(data.items as { file: string }[])[0]?.file}` };
  },
  'uploads.create': async (api) => ({
    path: `${(await project(api)).path}/uploads`,
    body: { bytes: 48_213 },
    otherBody: { bytes: 48_214 },
  }),
  'exports.create': async (api) => ({
    path: `${(await project(api)).path}/exports`,
    body: { what: 'conversations', filters: { channel: 'web' } },
    otherBody: { what: 'documents' },
  }),
  'exports.get': async (api) => {
    const path = (await conversation(api)).path.replace(/conversations.*/, 'exports');
    const { data } = await api.call('POST', path, { body: { what: 'conversations' } });
    return { path: `${path}/${data.id}` };
  },
  health: async () => ({ path: '/health' }),
  'jobs.list': async (api) => ({ path: (await job(api)).path.replace(/\/job_.*/, '') }),
  'jobs.get': job,
  'jobs.cancel': async (api) => ({ path: `${(await cancellable(api)).path}/cancel` }),
  'knowledge.documents.list': async (api) => {
    const { path } = await document(api);
    return { path: path.slice(0, path.lastIndexOf('/')) };
  },
  'knowledge.documents.create': async (api) => ({
    ...(await documents(api)),
    body: { title: 'Returns', content: '# Returns', mimeType: 'text/markdown', externalId: 'returns' },
    otherBody: { title: 'Delivery', content: 'In two days.', tags: ['delivery'] },
  }),
  'knowledge.documents.batch': async (api) => ({
    path: `${(await documents(api)).path}/batch`,
    body: {
      documents: [
        { externalId: 'returns', title: 'Returns', content: 'Within 30 days.' },
        { externalId: 'delivery', title: 'Delivery', content: 'In two days.' },
      ],
    },
    otherBody: { documents: [{ externalId: 'returns', title: 'Returns', content: 'Within 14 days.' }] },
  }),
  'knowledge.documents.put': async (api) => ({
    path: `${(await documents(api)).path}/by-external-id/handbook%3A%20returns.md`,
    body: { title: 'Returns', content: 'Within 30 days.' },
    otherBody: { title: 'Returns', content: 'Within 14 days.', tags: ['returns'] },
  }),
  'knowledge.documents.get': document,
  'knowledge.documents.update': async (api) => ({
    ...(await document(api)),
    body: { title: 'Sending back' },
    otherBody: { content: 'Within 14 days.' },
  }),
  'knowledge.documents.delete': document,
  'knowledge.documents.content': async (api) => ({ path: `${(await document(api)).path}/content` }),
  'knowledge.sources.list': async (api) => ({ path: (await source(api)).path.replace(/\/[^/]+$/, '') }),
  'knowledge.sources.create': async (api) => ({
    path: `${(await project(api)).path}/knowledge/sources`,
    body: { type: 'site', url: 'https://docs.acme.example/', include: ['/guides/*'], refresh: '24h' },
    otherBody: { type: 'sitemap', url: 'https://docs.acme.example/sitemap.xml' },
  }),
  'knowledge.sources.get': source,
  'knowledge.sources.update': async (api) => ({
    ...(await source(api)),
    body: { exclude: ['/guides/old/*'], maxPages: 1000 },
    otherBody: { refresh: '12h' },
  }),
  'knowledge.sources.delete': source,
  'knowledge.sources.refresh': async (api) => ({
    path: `${(await source(api)).path}/refresh`,
    body: {},
    otherBody: { confirm: true },
  }),
  'knowledge.sources.list-pages': async (api) => ({ path: `${(await refreshed(api)).path}/pages` }),
  'knowledge.reindex': async (api) => ({ path: `${(await project(api)).path}/knowledge/reindex` }),
  'knowledge.evaluate': async (api) => ({
    path: `${(await indexed(api)).path}/knowledge/evaluate`,
    body: {
      questions: [{ q: 'how many days do I have', expect: [{ externalId: 'returns', contains: '30 days' }] }],
    },
    otherBody: { questions: [{ q: 'until when can I return it', expect: [{ externalId: 'returns' }] }] },
  }),
  'knowledge.search': async (api) => ({ path: `${(await indexed(api)).path}/knowledge/search?q=days` }),
  'models.list': async () => ({ path: '/models' }),
  'usage.get': async () => ({ path: '/usage' }),
  'usage.days': async (api) => {
    const { path } = await conversation(api);
    await api.countConversations(path.split('/')[2] ?? '', '/usage/days');
    return { path: '/usage/days?groupBy=project' };
  },
  llms: async () => ({ path: '/llms.txt' }),
  'mcp.post': async () => ({
    path: '/mcp',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'agent', version: '1' },
      },
    },
  }),
  openapi: async () => ({ path: '/openapi.json' }),
  'projects.list': async (api) => {
    await api.createProject({ name: 'Support', description: 'Orders' });
    return { path: '/projects' };
  },
  'projects.create': async () => ({
    path: '/projects',
    body: { name: 'Support', description: 'Orders', metadata: { costCentre: '4711' } },
    otherBody: { name: 'Sales' },
  }),
  'projects.put': async (api) => {
    // That of an earlier sample. Without it, the request creates one.
    const { data } = await api.call('GET', '/projects?externalId=support-site');
    for (const { id } of data.items as Json[]) await api.call('DELETE', `/projects/${id}`);
    return {
      path: '/projects/by-external-id/support-site',
      body: { name: 'Support', description: 'Orders', metadata: { costCentre: '4711' } },
      otherBody: { name: 'Sales' },
    };
  },
  'projects.get': project,
  'projects.update': async (api) => ({
    ...(await project(api)),
    body: { name: 'Renamed' },
    otherBody: { status: 'archived' },
  }),
  'projects.delete': project,
  'projects.purge': async (api) => {
    const { path } = await project(api);
    await api.call('DELETE', path);
    return { path: `${path}/purge` };
  },
  'projects.usage': async (api) => {
    const project = (await conversation(api)).path.split('/')[2] ?? '';
    const path = `/projects/${project}/usage`;
    await api.countConversations(project, `${path}/days`);
    return { path };
  },
  'projects.usage-days': async (api) => {
    const project = (await conversation(api)).path.split('/')[2] ?? '';
    const path = `/projects/${project}/usage/days`;
    await api.countConversations(project, path);
    return { path };
  },
  'projects.restore': async (api) => {
    const { path } = await project(api);
    await api.call('DELETE', path);
    return { path: `${path}/restore` };
  },
  'webhooks.list': async (api) => {
    await webhook(api);
    return { path: '/webhooks' };
  },
  'webhooks.create': async (api) => {
    await makeRoom(api);
    return {
      path: '/webhooks',
      body: { ...webhookBody, description: 'Closes tickets in the help desk.' },
      otherBody: { ...webhookBody, eventTypes: ['*'] },
    };
  },
  'webhooks.get': webhook,
  'webhooks.update': async (api) => ({
    ...(await webhook(api)),
    body: { eventTypes: ['*'] },
    otherBody: { disabled: true },
  }),
  'webhooks.delete': webhook,
  'webhooks.rotate-secret': async (api) => ({
    ...(await webhook(api, '/rotate-secret')),
    body: { overlap: '24h' },
    otherBody: { overlap: '0' },
  }),
  'webhooks.test': (api) => webhook(api, '/test'),
  'webhooks.deliveries.list': async (api) => ({ path: (await delivered(api)).path.replace(/\/[^/]+$/, '') }),
  'webhooks.deliveries.redeliver': async (api) => ({ path: `${(await delivered(api)).path}/redeliver` }),
  'webhooks.recover': async (api) => ({
    ...(await webhook(api, '/recover')),
    body: { since: '2026-03-01T09:30:00Z' },
    otherBody: { since: '2026-03-02T09:30:00Z' },
  }),
};

export async function sampleOf(id: string, api: ContractApi): Promise<Sample> {
  const sample = samples[id];
  if (!sample) throw new Error(`samples/samples.ts has no request for ${id}`);
  return sample(api);
}
