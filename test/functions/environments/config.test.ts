import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../lib/base/json.ts';
import { unitHash, type Variant, variantOf } from '../../../lib/rollouts/assign.ts';
import type { Json } from '../../../samples/api.ts';
import { avatarBody } from '../../../samples/samples.ts';
import { deploy, openProject } from '../../support/avatars.ts';
import { publishIndex } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';
import { endRollout, serveRollout } from '../../support/rollouts.ts';

const rolloutId = 'rol_01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** A project whose environment serves one deployment, and another one to a part of the units. */
async function openRollout(percent = 50) {
  const api = await openProject();
  const { id } = await api.createAvatar();
  const current = await deploy(api);
  await api.send('PATCH', `/avatars/${id}`, { name: 'Eve' });
  const candidate = await deploy(api, { promote: false });
  const serve = (percent: number, span: number) =>
    serveRollout(api, api.projectId, 'production', {
      id: rolloutId,
      percent,
      span,
      deploymentId: candidate.id,
    });
  await serve(percent, 1);
  const config = (query = '', headers: Record<string, string> = {}) =>
    api.call('GET', `/projects/${api.projectId}/environments/production/config${query}`, { headers });
  const units = Array.from({ length: 40 }, (_, at) => `user-${at}`);
  const unitOf = (variant: Variant, percent: number) => {
    const found = units.find((unit) => variantOf(unitHash(rolloutId, unit), percent) === variant);
    if (found === undefined) throw new Error(`no unit has ${variant}`);
    return found;
  };
  return { ...api, current, candidate, serve, config, unitOf };
}

describe('environments.config', () => {
  responds(200, 'with what was frozen, and the hash as its entity tag', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    await publishIndex(api, api.projectId, 'idx_1');
    const { id: deploymentId, configHash } = await deploy(api);
    await api.send('PATCH', `/avatars/${id}`, { name: 'Eve' });
    const response = await api.send('GET', '/environments/production/config');
    expect(response.data).toEqual({
      environment: 'production',
      deploymentId,
      configHash,
      knowledgeIndexVersion: 'idx_1',
      avatars: [
        {
          id,
          version: 1,
          name: 'Ada',
          persona: { ...avatarBody.persona, greeting: null },
          voice: null,
          imageUrl: null,
          knowledgeTags: [],
          metadata: {},
        },
      ],
      rollout: null,
    });
    expect(response.headers.ETag).toBe(`"${configHash}"`);
    return response;
  });

  responds(304, 'without a body while the caller has the current version', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    await deploy(api);
    const path = `/projects/${api.projectId}/environments/production/config`;
    const poll = (tag: string) => api.call('GET', path, { headers: { 'If-None-Match': tag } });
    const { headers } = await api.call('GET', path);
    const tag = headers.ETag as string;
    const response = await poll(tag);
    expect([response.status, response.text, response.headers.ETag]).toEqual([304, '', tag]);
    expect(response.headers['Content-Type']).toBeUndefined();
    expect(response.headers['X-Request-Id']).toBeDefined();
    for (const same of [`W/${tag}`, `"other", ${tag}`, '*']) expect((await poll(same)).status).toBe(304);
    for (const other of ['"other"', 'invalid', '']) expect((await poll(other)).status).toBe(200);
    await api.send('PATCH', `/avatars/${id}`, { name: 'Eva' });
    expect((await poll(tag)).status).toBe(304);
    await deploy(api);
    expect((await poll(tag)).status).toBe(200);
    return response;
  });

  refuses('not_found', 'a name that nobody deployed to', async () => {
    const { send } = await openProject();
    return send('GET', '/environments/production/config');
  });

  refuses('not_found', 'an environment where nothing was promoted yet', async () => {
    const api = await openProject();
    await deploy(api, { promote: false });
    return api.send('GET', '/environments/production/config');
  });

  test('whoever reads it can work the hash out', async () => {
    const api = await openProject();
    await api.createAvatar({ voice: { provider: 'p', voiceId: 'v' }, metadata: { b: '1', a: 'é' } });
    await api.createAvatar({ knowledgeTags: ['x'], runtime: { b: [0.1], a: null } });
    await deploy(api);
    const { data } = await api.send('GET', '/environments/production/config');
    const { knowledgeIndexVersion } = data;
    const contents = (data.avatars as Json[]).map(({ id, version: _, ...content }) => [id, content]);
    const text = canonicalJson({ avatars: Object.fromEntries(contents), knowledgeIndexVersion });
    expect(data.configHash).toBe(hash('sha256', text));
  });

  responds(200, 'with the rollout, and without a unit with what is current', async () => {
    const { config, current, candidate } = await openRollout(12.34);
    const response = await config();
    expect(response.data).toMatchObject({ deploymentId: current.id, configHash: current.configHash });
    expect(response.data.rollout).toEqual({
      id: rolloutId,
      percent: 12.34,
      span: 1,
      candidate: { deploymentId: candidate.id, configHash: candidate.configHash },
    });
    return response;
  });

  responds(200, 'with the deployment of the variant of the unit, and its assignment', async () => {
    const { config, current, candidate, unitOf } = await openRollout();
    const of = { current, candidate };
    for (const variant of ['current', 'candidate'] as const) {
      const unit = unitOf(variant, 50);
      const { data } = await config(`?unit=${unit}`);
      const { id, configHash } = of[variant];
      expect(data).toMatchObject({ deploymentId: id, configHash });
      expect((data.avatars as Json[]).map(({ name }) => name)).toEqual([
        variant === 'current' ? 'Ada' : 'Eve',
      ]);
      const digits = hash('sha256', `${rolloutId}\0${unit}`).slice(0, 16);
      expect(data.rollout).toMatchObject({ variant, assignment: `${rolloutId}.1.${variant}.${digits}` });
    }
    return config(`?unit=${encodeURIComponent('Zoë 🎉'.repeat(42))}`);
  });

  responds(304, 'until the rollout or the variant of the unit has changed', async () => {
    const { config, serve, unitOf, ...api } = await openRollout();
    const [current, candidate] = [unitOf('current', 50), unitOf('candidate', 50)];
    const queries = ['', `?unit=${current}`, `?unit=${candidate}`];
    const tagsNow = () => Promise.all(queries.map(async (query) => `${(await config(query)).headers.ETag}`));
    const poll = async (tags: readonly string[]) =>
      Promise.all(
        queries.map(async (query, at) => (await config(query, { 'If-None-Match': `${tags[at]}` })).status),
      );
    const first = await tagsNow();
    expect(new Set(first).size).toBe(3);
    expect(await poll(first)).toEqual([304, 304, 304]);
    for (const at of [0, 1, 2])
      expect((await config(queries[at], { 'If-None-Match': `${first[(at + 1) % 3]}` })).status).toBe(200);
    await serve(60, 2);
    expect(await poll(first)).toEqual([200, 200, 200]);
    const second = await tagsNow();
    expect(await poll(second)).toEqual([304, 304, 304]);
    await endRollout(api, api.projectId, 'production');
    expect(await poll(second)).toEqual([200, 200, 200]);
    const ended = await tagsNow();
    expect(new Set(ended).size).toBe(1);
    const response = await config(queries[1], { 'If-None-Match': `${ended[0]}` });
    expect(response.text).toBe('');
    return response;
  });

  test('without a rollout, a unit changes nothing', async () => {
    const api = await openProject();
    await api.createAvatar();
    const { configHash } = await deploy(api);
    const all = await api.send('GET', '/environments/production/config');
    const one = await api.send('GET', '/environments/production/config?unit=user-1');
    expect(one.data).toEqual(all.data);
    expect(one.headers.ETag).toBe(`"${configHash}"`);
  });

  test('a unit keeps the candidate while the percent rises', async () => {
    const { config, serve, candidate, unitOf } = await openRollout(30);
    const unit = unitOf('candidate', 30);
    for (const [at, percent] of [30, 55.5, 99.99].entries()) {
      await serve(percent, at + 1);
      expect((await config(`?unit=${unit}`)).data.deploymentId).toBe(candidate.id);
    }
  });

  test('a rollout and a unit cost no further read', async () => {
    const { config, unitOf, requestLines, ...api } = await openRollout();
    const costs = async (query: string) => {
      await config(query);
      const { roundTrips, readUnits } = requestLines().at(-1) ?? {};
      return { roundTrips, readUnits };
    };
    const during = [await costs(''), await costs(`?unit=${unitOf('candidate', 50)}`)];
    await endRollout(api, api.projectId, 'production');
    const without = await costs('');
    expect(during).toEqual([without, without]);
  });

  test('no log line has the unit', async () => {
    const { config, requestLines, faultLines } = await openRollout();
    await config('?unit=somebody-in-person');
    await config('?unit=somebody-in-person&unit=other');
    expect(requestLines().length).toBeGreaterThan(2);
    expect(JSON.stringify([requestLines(), faultLines()])).not.toContain('somebody');
  });

  describe.each([
    ['empty', 'unit='],
    ['longer than 255 characters', `unit=${'a'.repeat(256)}`],
    ['sent twice', 'unit=a&unit=b'],
  ])('a unit that is %s', (_, query) => {
    refuses('validation_error', 'with its path', async () => {
      const { config } = await openRollout();
      const response = await config(`?${query}`);
      expect(response.error.details?.map(({ path }) => path)).toEqual(['unit']);
      return response;
    });
  });
});
