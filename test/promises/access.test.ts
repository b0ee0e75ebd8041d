/** An endpoint declares exactly the DynamoDB actions that it takes, so that its role has no unused permission. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { allScopes } from '../../lib/base/scopes.ts';
import { maxExports } from '../../lib/bulk/exports/store.ts';
import { maxUploads } from '../../lib/bulk/imports/uploads/store.ts';
import type { Client } from '../../lib/dynamodb/session.ts';
import { type Access, mergeAccess } from '../../lib/dynamodb/tables.ts';
import type { CallOptions, Json, TestApi } from '../../samples/api.ts';
import {
  identityBody,
  ruleBody,
  type Sample,
  sampleOf,
  webhookBody,
  wideLimits,
} from '../../samples/samples.ts';
import { noting } from '../support/access.ts';
import { runOnce } from '../support/evaluations.ts';
import { publishIndex } from '../support/knowledge.ts';
import { furtherReplies } from '../support/states-of-replies.ts';
import { deployedBefore, furtherRequests } from '../support/states-of-rollouts.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../support/tokens.ts';
import { createIdentity, jwkOf, newSigner, tokenFor } from '../support/workloads.ts';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

/** @returns a key that can create keys, and that has set a source and an evaluator, and has started a rollout */
async function createCreator(api: TestApi): Promise<{ id: string }> {
  const creator = await api.createKey({ scopes: creating });
  await setThings(api, creator.secret);
  return creator;
}

const creating = ['api-keys:write', 'knowledge:write', 'conversations:write', 'deploy:write'];

/** @returns an identity that has set the same */
async function createCreatingIdentity(api: TestApi): Promise<{ id: string }> {
  const signer = newSigner('ES256', 'k');
  const jwks = { keys: [jwkOf(signer)] };
  const identity = await createIdentity(api, 'https://oidc.acme.example', { scopes: creating, jwks });
  await setThings(api, tokenFor(api, identity, signer));
  return identity;
}

async function setThings(api: TestApi, key: string): Promise<void> {
  const body = { type: 'site', url: 'https://docs.acme.example/' };
  const project = `/projects/${await api.createProject()}`;
  await api.call('POST', `${project}/knowledge/sources`, { body, key });
  await api.call('POST', `${project}/evaluators`, { body: ruleBody, key });
  const rollout = await sampleOf('rollouts.start', api);
  await api.call('POST', rollout.path, { ...(rollout.body && { body: rollout.body }), key });
}

const creators: Readonly<Record<string, typeof createCreator>> = {
  'api-keys.revoke': createCreator,
  'workload-identities.delete': createCreatingIdentity,
};

/** @returns the path of a job that has ended */
async function createPreview(api: TestApi): Promise<string> {
  const projectId = await api.createProject();
  const project = `/projects/${projectId}`;
  await api.createConversation({}, projectId);
  await api.call('POST', `${project}/evaluators`, { body: ruleBody });
  const { data } = await api.call('POST', `${project}/evaluation-runs`, { body: { preview: true } });
  await runOnce(api, projectId, `${data.id}`);
  return `${project}/jobs/${data.id}`;
}

const deployment = { deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };

/** @returns the body, whose conversations name a deployment */
function ofDeployment(body: Sample['body']): Sample['body'] {
  if (!body) return body;
  if ('avatarId' in body) return { ...body, ...deployment };
  const { conversations } = body as { conversations?: readonly Json[] };
  return conversations ? { conversations: conversations.map((one) => ({ ...one, ...deployment })) } : body;
}

/** They hold the index of a deployment. @returns the path of a request that does so */
const indexed: Record<string, (api: TestApi, path: string) => Promise<string>> = {
  'deployments.promote': async (api, path) => {
    const [project = ''] = path.split('/deployments');
    return `${project}/deployments/${await deployedBefore(api, project)}/promote`;
  },
};

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  test('takes every action that it declares', { tags: ['long'] }, async () => {
    const used: Access[] = [];
    let noted = noting({} as Client);
    const api = await openApiWith(issuer, {}, ({ client }) => {
      noted = noting(client);
      return { client: noted.client, limits: wideLimits };
    });
    const projectIds = [await api.createProject()];
    const bound = await api.createKey({ scopes: allScopes, projectIds });
    // It has a job, which the usage shows.
    await api.call('POST', `/projects/${projectIds[0]}/knowledge/reindex`);
    const bodies: Record<string, object> = {
      'api-keys.create': { name: 'k', scopes: ['projects:read'], projectIds },
      'api-keys.update': { scopes: ['audit:read'] },
      'workload-identities.create': { ...identityBody, projectIds },
      'workload-identities.update': { subject: 'system:serviceaccount:ci:deployer-*' },
      'knowledge.documents.update': { externalId: 'another', content: 'another' },
      'avatars.create': { name: 'a', persona: { prompt: 'p' }, externalId: 'ada' },
      'avatars.update': { status: 'archived', externalId: 'ada' },
      'projects.update': { externalId: 'x' },
      'webhooks.create': { ...webhookBody, projectIds },
      'webhooks.update': { projectIds },
      'conversations.append': { messages: [{ role: 'user', text: 'hello', clientMessageId: 'm' }] },
      'conversations.create': {
        avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
        externalId: 'call-1',
      },
    };
    /** Requests to these endpoints for changes that are already done, or that differ now. */
    const repeated: Record<string, object> = {
      'conversations.append': {},
      // It removes the entry of the former value.
      'conversations.scores.put': { value: 'bad' },
      // The name of no evaluator.
      'evaluation-runs.create': { filter: { scores: ['other:exists'] } },
      'exports.create': { what: 'conversations', filters: { scores: ['other:exists'] } },
      'conversations.end': {},
      'deployments.create': { promote: false },
      'conversations.import': {},
      'conversations.put': { tags: ['another'] },
      'knowledge.evaluate': { environment: 'production' },
      'avatars.put': { name: 'another' },
      'projects.create': { externalId: 'another' },
      'projects.put': { name: 'another' },
      'projects.update': { externalId: null },
    };
    /** So many times, all places are taken, and only then their holders are read. */
    const places: Record<string, number> = { 'exports.create': maxExports, 'uploads.create': maxUploads };
    /** These remove the pointer of a resource with an externalId. */
    const unnaming = ['avatars.delete', 'projects.delete'];
    /** These take a file, or replace a file that is not read yet. */
    const withFiles = ['knowledge.documents.create', 'knowledge.documents.put', 'knowledge.documents.batch'];
    /** The work of making something does not count for the endpoint. */
    const uncounted = async <Made>(make: () => Promise<Made>): Promise<Made> => {
      const start = noted.taken.length;
      const made = await make();
      noted.taken.splice(start);
      return made;
    };
    const queries: Record<string, string | string[]> = {
      'avatars.list': '?externalId=ada',
      'projects.list': '?externalId=support-site',
      'knowledge.documents.list': '?externalId=returns',
      'knowledge.documents.delete': '?expunge=true',
      'knowledge.search': '&environment=production',
      'conversations.transcript': '?afterSeq=1&waitSeconds=1',
      'jobs.get': '?waitSeconds=1',
      'replies.get': '?waitSeconds=1',
      'api-keys.revoke': ['?children=true', '?dryRun=true'],
      'workload-identities.delete': ['?children=true', '?dryRun=true'],
      'audit-events.list': '?action=api-keys.create',
      // By an index, and by a pointer.
      'conversations.list': ['?channel=web', '?externalId=call-1'],
      'conversations.search': '&channel=web',
      'conversations.stats': '?score=csat',
    };
    // A caller who changes somebody else's key by giving it something, from a key that has not been used yet.
    const inStaging = await api.createKey({ scopes: allScopes, environments: ['staging'] });
    const ways: (CallOptions & { query?: string })[] = [
      { key: (await api.createKey({ scopes: allScopes })).secret },
      { idempotencyKey: 'key' },
      { key: bound.secret },
      { key: await api.token({ scopes: allScopes }) },
      // The environment of a conversation is that of its deployment.
      { key: inStaging.secret },
      ...[queries[id] ?? ''].flat().map((query) => ({ query })),
    ];
    const deployed = {
      ...api,
      createConversation: (more: Json = {}, project?: string) =>
        api.createConversation({ ...deployment, ...more }, project),
    };
    // A GET changes nothing, so all requests use the same sample.
    let read: Sample | undefined;
    for (const { query = '', ...way } of ways) {
      const sample =
        way.key === inStaging.secret ? await sampleOf(id, deployed) : (read ?? (await sampleOf(id, api)));
      if (endpoint.method === 'GET') read = sample;
      const { body, key } = sample;
      // Only of a key that can create keys it matters whether it is the last one. A dry run counts what the key has set.
      const create = creators[id];
      const creator = create && (await uncounted(() => create(api)));
      const path = creator ? endpoint.path.replace(/\{\w+\}/, creator.id) : sample.path;
      if (id === 'deployments.create') await publishIndex(api, path.split('/')[2] ?? '', 'v1');
      const prepare = indexed[id];
      const indexedPath = prepare && (await uncounted(() => prepare(api, path)));
      if (id === 'deployments.rollback') {
        const deploymentId = await uncounted(() => deployedBefore(api, path.replace('/rollback', '')));
        bodies[id] = { environment: 'production', deploymentId };
      }
      if (unnaming.includes(id)) await api.call('PATCH', path, { body: { externalId: path } });
      const start = noted.taken.length;
      const sent = way.key === inStaging.secret ? ofDeployment(body) : (bodies[id] ?? body);
      const options = { ...(sent && { body: sent }), ...(key && { key }), ...way };
      await api.call(endpoint.method, (indexedPath ?? path) + query, options);
      if (repeated[id]) {
        const body = { ...(options.body as object), ...repeated[id] };
        await api.call(endpoint.method, path, { ...options, body, idempotencyKey: `again ${path}` });
      }
      if (withFiles.includes(id)) {
        const body = { bytes: 4, purpose: 'knowledge' };
        const uploads = path.replace(/knowledge.*/, 'uploads');
        const { data } = await uncounted(() => api.call('POST', uploads, { body }));
        const file = {
          ...options,
          body: { title: 'File', uploadId: data.id },
          idempotencyKey: `file ${path}`,
        };
        const byName = path.replace('batch', 'by-external-id/returns');
        if (byName === path) await api.call(endpoint.method, path, file);
        else await uncounted(() => api.call('PUT', byName, file));
        await api.call(endpoint.method, path, { ...options, idempotencyKey: `text ${path}` });
      }
      if (way.idempotencyKey) {
        const again = () => api.call(endpoint.method, path, { ...(body && { body }) });
        await Promise.all(Array.from({ length: places[id] ?? 0 }, again));
      }
      // Only the result of a preview leads to conversations.
      if (id === 'jobs.get') {
        const preview = await uncounted(() => createPreview(api));
        await api.call('GET', preview);
      }
      // A second refresh joins the job of the first. A deletion cancels it.
      if (id === 'knowledge.sources.refresh') await api.call('POST', path, options);
      if (id === 'knowledge.sources.delete') {
        const { path: busy } = await uncounted(async () => {
          const another = await sampleOf(id, api);
          await api.call('POST', `${another.path}/refresh`);
          return another;
        });
        await api.call('DELETE', busy, options);
      }
      // A second expunge joins the job that is queued.
      if (id === 'knowledge.documents.delete' && query)
        await api.call(endpoint.method, path + query, options);
      // The work of making the sample does not count for the endpoint.
      noted.taken.splice(0, start);
      used.push(...noted.taken.splice(0));
    }
    const further = await { ...furtherRequests, ...furtherReplies }[id]?.(api);
    noted.taken.splice(0);
    for (const { path, body, key } of further ?? [])
      await api.call(endpoint.method, path, { ...(body && { body }), ...(key && { key }) });
    used.push(...noted.taken.splice(0));
    expect(mergeAccess(...used)).toEqual(endpoint.access);
  });
});
