/** What the candidate of a rollout needs stays there, and a rollout starts once. */

import { describe, expect, test } from 'vitest';
import { offeredTools } from '../../lib/mcp/tools.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { deploy } from '../support/avatars.ts';
import { openKnowledge } from '../support/knowledge.ts';
import { openRelease, rolloutPath, unitsWith } from '../support/releases.ts';

test('an avatar that only the candidate serves is in use, until the rollout has ended', async () => {
  const api = await openRelease();
  await api.send('PATCH', `/avatars/${api.eve}`, { status: 'archived' });
  await api.start({ percent: 10 });
  expect((await api.send('DELETE', `/avatars/${api.eve}`)).error.code).toBe('avatar_in_use');
  await api.send('POST', `${rolloutPath}/abort`, {});
  expect((await api.send('DELETE', `/avatars/${api.eve}`)).status).toBe(200);
});

test('an environment with a rollout is not deleted, until the rollout has ended', async () => {
  const api = await openRelease();
  await api.start({ percent: 10 });
  await api.send('PATCH', rolloutPath, { paused: true });
  const remove = () => api.send('DELETE', '/environments/production');
  const { status, error } = await remove();
  expect([status, error.code]).toEqual([409, 'environment_has_rollout']);
  await api.send('POST', `${rolloutPath}/complete`, {});
  expect((await remove()).status).toBe(200);
  expect((await api.send('GET', rolloutPath)).status).toBe(404);
});

test('an expunged document leaves the index of the candidate, and its units get the new one', {
  tags: ['long'],
}, async () => {
  const api = await openKnowledge();
  const { project, projectId } = api;
  const deployed = async (promote: boolean) =>
    (await api.call('POST', `${project}/deployments`, { body: { environment: 'production', promote } })).data;
  await api.create({ title: 'kept', content: 'a drum' });
  await api.reindex();
  const current = await deployed(true);
  const { id } = await api.create({ title: 'gone', content: 'a flute' });
  await api.reindex();
  const candidate = await deployed(false);
  const environment = `${project}/environments/production`;
  const body = { deploymentId: candidate.id, percent: 50 };
  const { data: rollout } = await api.call('POST', `${environment}/rollout`, { body });
  const of = { id: `${rollout.id}`, percent: 50 };
  const [[one = ''], [other = '']] = [unitsWith('candidate', 1, of), unitsWith('current', 1, of)];
  const config = async (unit: string) => (await api.call('GET', `${environment}/config?unit=${unit}`)).data;
  const titles = async (unit: string) => {
    const query = `q=flute&environment=production&unit=${unit}`;
    const { data } = await api.call('GET', `${project}/knowledge/search?${query}`);
    return (data.items as Json[]).map(({ title }) => title);
  };
  expect([await titles(one), await titles(other)]).toEqual([['gone'], []]);
  const before = await config(one);
  const { data: job } = await api.call('DELETE', `${api.path}/${id}?expunge=true`);
  await api.workOff(projectId, `${job.id}`);
  const after = await config(one);
  expect(after.deploymentId).toBe(candidate.id);
  expect(after.knowledgeIndexVersion).not.toBe(before.knowledgeIndexVersion);
  expect(after.configHash).not.toBe(before.configHash);
  expect((after.rollout as Json).assignment).toBe((before.rollout as Json).assignment);
  expect(await config(other)).toMatchObject({
    deploymentId: current.id,
    knowledgeIndexVersion: current.knowledgeIndexVersion,
  });
  expect(await titles(one)).toEqual([]);
});

test('fifty simultaneous duplicates start one rollout, and get fifty equal 201', {
  tags: ['long'],
}, async () => {
  const api = await openRelease();
  const body = { deploymentId: api.candidate.id, percent: 10 };
  const start = () => api.send('POST', rolloutPath, body, { idempotencyKey: 'fifty' });
  const responses = await Promise.all(Array.from({ length: 50 }, start));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  const stored = await storedOf(api, 'deployments');
  expect(stored.filter(({ id }) => `${id}`.startsWith('rol_')).length).toBe(
    // The rollout, and the entry of its credential.
    2,
  );
  const { items } = (await api.send('GET', `${rolloutPath}s`)).data;
  expect((items as Json[]).map(({ id }) => id)).toEqual([responses[0]?.data.id]);
});

describe('a key that is bound to environments', () => {
  test('neither sees nor moves the rollouts of others, and starts none with a deployment of another', async () => {
    const api = await openRelease();
    const other = await deploy(api, { environment: 'staging' });
    const staged = await deploy(api, { environment: 'staging', promote: false });
    const { secret: key } = await api.createKey({
      scopes: ['deploy:write', 'conversations:write', 'events:read'],
      environments: ['staging'],
    });
    const { id } = await api.start({ percent: 50 });
    const as = async (method: string, path: string, body?: Json) => {
      const { status, error } = await api.send(method, path, body, { key });
      return error?.code ? [status, error.code] : [status];
    };
    const missing = [404, 'not_found'];
    expect(await as('GET', rolloutPath)).toEqual(missing);
    expect(await as('GET', `${rolloutPath}s`)).toEqual(missing);
    expect(await as('PATCH', rolloutPath, { paused: true })).toEqual(missing);
    for (const action of ['advance', 'complete', 'abort'])
      expect(await as('POST', `${rolloutPath}/${action}`, {})).toEqual(missing);
    const start = (deploymentId: string) =>
      as('POST', '/environments/staging/rollout', { deploymentId, percent: 10 });
    expect(await start(api.candidate.id)).toEqual(missing);
    expect(await start(other.id)).toEqual([400, 'validation_error']);

    const [unit = ''] = unitsWith('candidate', 1, { id, percent: 50 });
    const { assignment } = (await api.config(unit)).rollout as Json;
    const conversation = { avatarId: api.eve, assignment };
    expect(await as('POST', '/conversations', conversation)).toEqual([400, 'validation_error']);
    expect(await start(staged.id)).toEqual([201]);
    expect(await as('GET', '/environments/staging/rollout')).toEqual([200]);
    expect((await api.send('GET', rolloutPath)).data.id).toBe(id);

    // The list of events reaches all environments.
    const { status, error } = await api.call('GET', '/events?type=rollout.*', { key });
    expect([status, error.code]).toEqual([403, 'insufficient_scope']);
  });
});

describe('the tools of agents', () => {
  const namesFor = (scopes: readonly string[]) =>
    offeredTools(scopes, false)
      .map(({ name }) => name)
      .filter((name) => name.startsWith('rollouts_'));

  test('for rollouts are for keys that may deploy', () => {
    expect(namesFor(['conversations:write', 'avatars:write', 'runtime:write'])).toEqual([]);
    expect(namesFor(['deploy:read']).sort()).toEqual(['rollouts_get', 'rollouts_list']);
    expect(namesFor(['deploy:write'])).toEqual(
      expect.arrayContaining(['rollouts_start', 'rollouts_update', 'rollouts_get']),
    );
  });
});
