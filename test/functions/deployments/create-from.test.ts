/** A deployment of what another environment serves, in place of the project. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { type Json, storedOf } from '../../../samples/api.ts';
import { deploy, openProject, pointerOf } from '../../support/avatars.ts';
import { openKnowledge, publishIndex } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';

const git = { sha: '0123abcdef', ref: 'refs/heads/main' };
const fromStaging = { environment: 'prod', from: { environment: 'staging' } };

/** Staging serves a deployment, and the drafts have moved on. */
async function openStaging() {
  const api = await openProject();
  const ada = await api.createAvatar();
  await publishIndex(api, api.projectId, 'idx_1');
  const tested = await deploy(api, { environment: 'staging', git, reason: 'Tested' });
  await api.send('PATCH', `/avatars/${ada.id}`, { name: 'Eve', status: 'archived' });
  await api.createAvatar({ name: 'New' });
  await publishIndex(api, api.projectId, 'idx_2');
  const config = async (environment: string) =>
    (await api.send('GET', `/environments/${environment}/config`)).data;
  return { ...api, ada, tested, config };
}

describe('deployments.create with `from`', () => {
  responds(201, 'with what staging serves, and not with the drafts', async () => {
    const { send, tested, config } = await openStaging();
    const response = await send('POST', '/deployments', { ...fromStaging, reason: 'Ready' });
    const { id, createdAt, promotedAt, ...rest } = response.data;
    const { avatars, knowledgeIndexVersion, configHash, createdBy } = tested;
    expect(rest).toEqual({
      environment: 'prod',
      phase: 'current',
      reason: 'Ready',
      git,
      avatars,
      knowledgeIndexVersion,
      configHash,
      createdBy,
      promotedFrom: tested.id,
      heldBack: false,
      heldBackReason: null,
      warnings: [],
    });
    const { environment: _, deploymentId, ...content } = await config('prod');
    expect(deploymentId).toBe(id);
    expect(await config('staging')).toEqual({ ...content, environment: 'staging', deploymentId: tested.id });
    expect((await send('GET', `/deployments/${id}`)).data).toMatchObject({ promotedFrom: tested.id });
    return response;
  });

  responds(201, 'with a deployment that is no longer served, and stays staged if it should', async () => {
    const api = await openStaging();
    await deploy(api, { environment: 'staging' });
    const from = { deploymentId: api.tested.id };
    const response = await api.send('POST', '/deployments', { environment: 'prod', from, promote: false });
    const { configHash } = api.tested;
    expect(response.data).toMatchObject({ phase: 'staged', configHash, promotedFrom: api.tested.id });
    expect(await pointerOf(api, 'prod')).toMatchObject({ current: null });
    const promoted = await api.send('POST', `/deployments/${response.data.id}/promote`);
    expect(promoted.data).toMatchObject({ phase: 'current', promotedFrom: api.tested.id });
    return response;
  });

  responds(201, 'and stays staged where a rollback has pinned the target', async () => {
    const api = await openStaging();
    await deploy(api, { environment: 'prod' });
    await deploy(api, { environment: 'prod' });
    await api.send('POST', '/rollback', { environment: 'prod' });
    const response = await api.send('POST', '/deployments', fromStaging);
    expect(response.data).toMatchObject({ phase: 'staged', heldBack: true });
    return response;
  });

  responds(200, 'with what the target serves, if that has the same content', async () => {
    const api = await openStaging();
    const body = { ...fromStaging, ifChanged: true };
    const first = await api.send('POST', '/deployments', body);
    expect(first.status).toBe(201);
    const response = await api.send('POST', '/deployments', body);
    expect(response.data).toEqual(first.data);
    await deploy(api, { environment: 'staging' });
    expect((await api.send('POST', '/deployments', body)).status).toBe(201);
    return response;
  });

  refuses('not_found', 'an environment that does not exist', async () => {
    const { send } = await openStaging();
    const nothing = await send('POST', '/deployments', {
      environment: 'prod',
      from: { environment: 'none' },
    });
    expect(nothing.error.message).toContain('environment');
    await send('POST', '/deployments', { environment: 'empty', promote: false });
    const empty = await send('POST', '/deployments', { environment: 'prod', from: { environment: 'empty' } });
    expect(empty.error.message).toContain('current deployment');
    expect((await send('GET', '/environments/prod')).status).toBe(404);
    return nothing;
  });

  refuses('not_found', 'a deployment of another project, organisation or mode', async () => {
    const api = await openStaging();
    const from = { deploymentId: api.tested.id };
    const strangers = [await openProject(api), await openProject()];
    for (const { send } of strangers)
      expect((await send('POST', '/deployments', { environment: 'prod', from })).error.code).toBe(
        'not_found',
      );
    const key = await api.testModeKey();
    const { data: other } = await api.call('POST', '/projects', { body: { name: 'Other' }, key });
    const body = { environment: 'prod', from };
    return api.call('POST', `/projects/${other.id}/deployments`, { body, key });
  });

  refuses('validation_error', 'a deployment of the same environment', async () => {
    const { send, tested } = await openStaging();
    const from = { deploymentId: tested.id };
    const response = await send('POST', '/deployments', { environment: 'staging', from });
    expect(response.error.details?.map(({ path }) => path)).toEqual(['from.deploymentId']);
    return response;
  });

  test.each([
    ['neither', { from: {} }, ['from.environment']],
    [
      'both',
      { from: { environment: 'a', deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' } },
      ['from.environment'],
    ],
    ['its own environment', { from: { environment: 'prod' } }, ['from.environment']],
    ['a text', { from: 'staging' }, ['from']],
    ['another field', { from: { environment: 'staging', sha: '4b825dc' } }, ['from.sha']],
    ['strict', { from: { environment: 'staging' }, strict: true }, ['strict']],
    ['a commit', { from: { environment: 'staging' }, git }, ['git']],
    ['no commit', { from: { environment: 'staging' }, git: null }, ['git']],
  ])('400 validation_error: %s', async (_, body, paths) => {
    const { send } = await openProject();
    const { error } = await send('POST', '/deployments', { environment: 'prod', ...body });
    expect(error.details?.map(({ path }) => path)).toEqual(paths);
  });

  test('a repeated request with an Idempotency-Key is the same deployment, whatever staging serves since', async () => {
    const api = await openStaging();
    const send = () => api.send('POST', '/deployments', fromStaging, { idempotencyKey: 'once' });
    const first = await send();
    await deploy(api, { environment: 'staging' });
    expect((await send()).data).toEqual(first.data);
    expect((await pointerOf(api, 'prod')).current).toBe(first.data.id);
  });

  test('a deployment of an earlier version of the service has no promotedFrom, and can be promoted', async () => {
    const api = await openStaging();
    const items = await storedOf(api, 'deployments');
    const { promotedFrom: _, ...Item } = items.find(({ id }) => id === api.tested.id) as Json;
    await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.deployments, Item }));
    expect((await api.send('GET', `/deployments/${api.tested.id}`)).data.promotedFrom).toBeNull();
    expect((await api.send('GET', '/deployments?environment=staging')).data.items).toMatchObject([
      { promotedFrom: null },
    ]);
    expect((await api.send('POST', '/deployments', fromStaging)).status).toBe(201);
  });
});

describe('while a document is expunged', () => {
  test('what is promoted has the index that replaces the old one, before and after deployments point to it', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    const { call, project } = api;
    await api.create({ title: 'kept', content: 'a flute' });
    const gone = await api.create({ title: 'gone', content: 'a drum' });
    await api.reindex();
    const post = (body: Json) => call('POST', `${project}/deployments`, { body });
    const { data: tested } = await post({ environment: 'staging' });
    const { data: job } = await call('DELETE', `${api.path}/${gone.id}?expunge=true`);
    // The job and the promotions run at the same time.
    let isDone = false;
    const work = api.workOff(api.projectId, `${job.id}`).finally(() => {
      isDone = true;
    });
    const made: Json[] = [];
    for (let n = 0; !isDone || n < 2; n += 1) {
      const response = await post({ environment: `prod-${n % 3}`, from: { deploymentId: tested.id } });
      expect(response.status, response.text).toBe(201);
      made.push(response.data);
    }
    await work;
    const after = (await call('GET', `${project}/deployments/${tested.id}`)).data;
    expect(after.knowledgeIndexVersion).not.toBe(tested.knowledgeIndexVersion);
    for (const { id, environment } of made) {
      const { knowledgeIndexVersion, configHash } = after;
      const stored = (await call('GET', `${project}/deployments/${id}`)).data;
      expect(stored).toMatchObject({ knowledgeIndexVersion, configHash });
      const search = (q: string) =>
        call('GET', `${project}/knowledge/search?q=${q}&environment=${environment}`);
      expect((await search('drum')).data.items).toEqual([]);
      expect((await search('flute')).data.items).toHaveLength(1);
    }
    const { items } = (await call('GET', `${project}/environments`)).data as { items: Json[] };
    for (const { name } of items) {
      const { configHash } = (await call('GET', `${project}/environments/${name}/config`)).data;
      expect(configHash).toBe(after.configHash);
    }
  });
});
