import { describe, expect, test } from 'vitest';
import { allScopes } from '../../../lib/base/scopes.ts';
import { storedOf } from '../../../samples/api.ts';
import { deploy, openProject } from '../../support/avatars.ts';
import { openRetiring } from '../../support/environments.ts';
import { refuses, responds } from '../../support/responses.ts';
import { guardOf, guardScores, openRollouts, rolloutPath, twoSteps } from '../../support/started-rollouts.ts';

const unknownId = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

describe('rollouts.start', () => {
  responds(201, 'with a percent, and nothing changes for the others', async () => {
    const api = await openRollouts();
    const me = (await api.call('GET', '/api-keys/me')).data.id;
    const before = await api.environment();
    const response = await api.start({ reason: 'Greets by name.' });
    const { id, createdAt: at } = response.data;
    const move = { status: 'running', percent: 10, reason: 'Greets by name.', by: me };
    expect(response.data).toEqual({
      id,
      environment: 'production',
      deploymentId: api.candidate.id,
      currentDeploymentId: api.current.id,
      ...move,
      since: at,
      span: 1,
      steps: null,
      step: null,
      holdUntil: null,
      guards: [],
      onBreach: 'roll_back',
      breach: null,
      spans: [{ span: 1, percent: 10, from: at, until: null }],
      createdAt: at,
      createdBy: me,
      endedAt: null,
      version: 1,
      history: [{ at, ...move }],
    });
    expect(response.headers.ETag).toBe('"1"');
    expect(await api.read()).toMatchObject(response.data);
    expect(await api.environment()).toEqual(before);
    const { deploymentId, rollout } = await api.config();
    expect(deploymentId).toBe(api.current.id);
    expect(rollout).toMatchObject({ id, percent: 10, candidate: { deploymentId: api.candidate.id } });
    expect(await api.phaseOf(api.candidate)).toBe('staged');
    return response;
  });

  responds(201, 'with steps, of which the first is held', async () => {
    const api = await openRollouts();
    const response = await api.start({ steps: twoSteps, onBreach: 'pause' });
    const { createdAt } = response.data;
    expect(response.data).toMatchObject({
      status: 'running',
      percent: 10,
      steps: twoSteps,
      step: 1,
      onBreach: 'pause',
      holdUntil: new Date(Date.parse(`${createdAt}`) + 3_600_000).toISOString(),
    });
    return response;
  });

  responds(201, 'and a first step with a pause waits for advance', async () => {
    const api = await openRollouts();
    const response = await api.start({ steps: [{ percent: 0.01, pause: true }] });
    expect(response.data).toMatchObject({ status: 'waiting_for_advance', percent: 0.01, holdUntil: null });
    return response;
  });

  responds(201, 'with guards of each kind, and their defaults', async () => {
    const api = await openRollouts();
    for (const name of ['solved', 'csat', 'mood']) await api.createEvaluator(name);
    const guards = [
      guardOf(),
      guardOf({ score: 'csat', maxHarm: 3, minimum: 1, maxUnknown: 1 }),
      guardOf({
        score: 'mood',
        value: 'bad',
        better: 'lower',
        maxHarm: 1,
        minimum: 1_000_000,
        maxUnknown: 0,
      }),
      guardOf({ score: 'mood', value: 'good', maxHarm: 0 }),
    ];
    const response = await api.start({ guards });
    const defaults = { minimum: 50, maxUnknown: 0.2 };
    expect(response.data.guards).toEqual(guards.map((guard) => ({ ...defaults, ...guard })));
    return response;
  });

  responds(201, 'in a pinned environment, which stays pinned until it completes', async () => {
    const api = await openRollouts();
    const next = await deploy(api);
    await api.send('POST', '/rollback', { environment: 'production' });
    expect(await api.environment()).toMatchObject({ current: api.current.id, pinned: true });
    const response = await api.start({ deploymentId: next.id });
    expect((await api.environment()).pinned).toBe(true);
    expect((await api.move('complete')).status).toBe(200);
    expect(await api.environment()).toMatchObject({ current: next.id, pinned: false, rollback: null });
    return response;
  });

  responds(201, 'after another one has ended', async () => {
    const api = await openRollouts();
    const first = await api.started();
    await api.move('abort');
    const response = await api.start({ percent: 99.99 });
    expect(response.data.id).not.toBe(first.id);
    expect((await api.read()).id).toBe(response.data.id);
    return response;
  });

  refuses('rollout_running', 'one that has not ended, also while it is paused', async () => {
    const api = await openRollouts();
    const { id } = await api.started();
    await api.update({ paused: true });
    const response = await api.start();
    expect(response.error.message).toContain(id);
    return response;
  });

  refuses('nothing_served', 'an environment where none was promoted', async () => {
    const api = await openProject();
    const { id } = await deploy(api, { promote: false });
    return api.send('POST', rolloutPath, { deploymentId: id, percent: 10 });
  });

  refuses('not_found', 'an environment that nobody deployed to', async () => {
    const api = await openRollouts();
    const body = { deploymentId: api.candidate.id, percent: 10 };
    return api.send('POST', '/environments/staging/rollout', body);
  });

  test('400 validation_error: a candidate of another project, and one that nobody has', async () => {
    const api = await openRollouts();
    const other = await openRollouts();
    const project = await api.createProject();
    const body = { environment: 'production' };
    const { data } = await api.call('POST', `/projects/${project}/deployments`, { body });
    for (const deploymentId of [unknownId, other.candidate.id, data.id]) {
      const { error } = await api.start({ deploymentId });
      expect([error.code, error.details?.[0]?.path]).toEqual(['validation_error', 'deploymentId']);
    }
  });

  test('a percent that a sum has made inexact is rounded', async () => {
    const api = await openRollouts();
    expect((await api.start({ percent: 0.1 + 0.2 })).data.percent).toBe(0.3);
  });

  refuses(
    'index_retired',
    'a candidate of a deleted environment whose index is not kept any more',
    async () => {
      const { call, project, tested } = await openRetiring();
      await call('POST', `${project}/deployments`, { body: { environment: 'preview' } });
      const body = { deploymentId: tested.id, percent: 10 };
      return call('POST', `${project}/environments/preview/rollout`, { body });
    },
  );

  describe('what does not fit', () => {
    const steps = (...all: unknown[]) => ({ steps: all, percent: undefined });
    const guards = (changes: Record<string, unknown>) => ({ guards: [guardOf(changes)] });
    const many = Array.from({ length: 11 }, (_, n) => ({ percent: n + 1, holdMinutes: 1 }));
    test.each<[string, Record<string, unknown>, string]>([
      ['no candidate', { deploymentId: undefined }, 'deploymentId'],
      ['an id of something else', { deploymentId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }, 'deploymentId'],
      ['a percent that is too low', { percent: 0 }, 'percent'],
      ['a percent that is too high', { percent: 100 }, 'percent'],
      ['a percent with three decimals', { percent: 10.001 }, 'percent'],
      ['a percent that is a text', { percent: '10' }, 'percent'],
      ['neither percent nor steps', { percent: undefined }, 'percent'],
      ['both percent and steps', { percent: 10, steps: twoSteps }, 'percent'],
      ['no step', steps(), 'steps'],
      ['eleven steps', steps(...many), 'steps'],
      [
        'steps that do not rise',
        steps({ percent: 10, holdMinutes: 1 }, { percent: 10, pause: true }),
        'steps',
      ],
      ['a step with neither', steps({ percent: 10 }), 'steps.0.holdMinutes'],
      ['a step with both', steps({ percent: 10, holdMinutes: 1, pause: true }), 'steps.0.holdMinutes'],
      ['a step without a pause', steps({ percent: 10, pause: false }), 'steps.0.pause'],
      ['a step of 0 minutes', steps({ percent: 10, holdMinutes: 0 }), 'steps.0.holdMinutes'],
      ['a step of half a minute', steps({ percent: 10, holdMinutes: 0.5 }), 'steps.0.holdMinutes'],
      ['a step of more than 30 days', steps({ percent: 10, holdMinutes: 43_201 }), 'steps.0.holdMinutes'],
      ['a step with a wrong percent', steps({ percent: 0, holdMinutes: 1 }), 'steps.0.percent'],
      ['a step with an unknown field', steps({ percent: 1, pause: true, x: 1 }), 'steps.0.x'],
      ['six guards', { guards: Array.from({ length: 6 }, (_, n) => guardOf({ score: `s${n}` })) }, 'guards'],
      ['a guard twice', { guards: [guardOf(), guardOf({ maxHarm: 0.2 })] }, 'guards'],
      ['a guard without a score', guards({ score: undefined }), 'guards.0.score'],
      ['a guard with a wrong name', guards({ score: 'Not a name' }), 'guards.0.score'],
      ['a guard without a direction', guards({ better: undefined }), 'guards.0.better'],
      ['a guard with a wrong direction', guards({ better: 'best' }), 'guards.0.better'],
      ['a guard without a limit', guards({ maxHarm: undefined }), 'guards.0.maxHarm'],
      ['a negative harm', guards({ maxHarm: -0.01 }), 'guards.0.maxHarm'],
      ['a harm above every score', guards({ maxHarm: 1e10 }), 'guards.0.maxHarm'],
      ['a minimum of 0', guards({ minimum: 0 }), 'guards.0.minimum'],
      ['a minimum that is not whole', guards({ minimum: 1.5 }), 'guards.0.minimum'],
      ['a minimum that is too high', guards({ minimum: 1_000_001 }), 'guards.0.minimum'],
      ['a negative share', guards({ maxUnknown: -0.1 }), 'guards.0.maxUnknown'],
      ['a share above 1', guards({ maxUnknown: 1.1 }), 'guards.0.maxUnknown'],
      ['an empty category', guards({ score: 'mood', value: '' }), 'guards.0.value'],
      ['a long category', guards({ score: 'mood', value: 'a'.repeat(41) }), 'guards.0.value'],
      ['an unknown evaluator', guards({ score: 'nobody' }), 'guards.0.score'],
      ['a guard on text', guards({ score: 'summary' }), 'guards.0.score'],
      ['a category without a value', guards({ score: 'mood' }), 'guards.0.value'],
      ['a category that does not exist', guards({ score: 'mood', value: 'ugly' }), 'guards.0.value'],
      ['a value of true and false', guards({ value: 'true' }), 'guards.0.value'],
      ['a value of a number', guards({ score: 'csat', value: '1' }), 'guards.0.value'],
      ['a share above 1 as harm', guards({ maxHarm: 1.01 }), 'guards.0.maxHarm'],
      ['the same for a category', guards({ score: 'mood', value: 'bad', maxHarm: 2 }), 'guards.0.maxHarm'],
      ['the second of two guards', { guards: [guardOf(), guardOf({ score: 'nobody' })] }, 'guards.1.score'],
      ['a wrong reaction', { onBreach: 'ignore' }, 'onBreach'],
      ['a long reason', { reason: 'a'.repeat(501) }, 'reason'],
      ['an unknown field', { pause: true }, 'pause'],
    ])('400 validation_error: %s', async (_, body, path) => {
      const api = await shared();
      const { status, error, text } = await api.start(body);
      expect([status, error.code], text).toEqual([400, 'validation_error']);
      expect(error.details?.map((detail) => detail.path)).toEqual([path]);
    });

    let opened: ReturnType<typeof openRollouts> | undefined;
    /** Nothing is written, so all share a project. */
    async function shared() {
      opened ??= openRollouts().then(async (api) => {
        for (const name of Object.keys(guardScores)) await api.createEvaluator(name);
        return api;
      });
      return opened;
    }

    test('none of them has started anything', async () => {
      const api = await shared();
      expect((await api.send('GET', rolloutPath)).error.code).toBe('not_found');
      expect(
        (await storedOf(api, 'deployments')).filter(({ tenant }) => /rollout/.test(`${tenant}`)),
      ).toEqual([]);
    });
  });

  test('400 validation_error: the evaluator of a guard is archived', async () => {
    const api = await openRollouts();
    const { id } = await api.createEvaluator('solved');
    expect((await api.send('PATCH', `/evaluators/${id}`, { status: 'archived' })).status).toBe(200);
    const { error } = await api.start({ guards: [guardOf()] });
    expect([error.code, error.details?.[0]?.path]).toEqual(['validation_error', 'guards.0.score']);
  });

  test('400 validation_error: the current deployment, and a deployment of another environment', async () => {
    const api = await openRollouts();
    const staging = await deploy(api, { environment: 'staging' });
    for (const { id } of [api.current, staging]) {
      const { error } = await api.start({ deploymentId: id });
      expect([error.code, error.details?.[0]?.path]).toEqual(['validation_error', 'deploymentId']);
    }
  });

  test('a repeated start with its Idempotency-Key is one rollout', async () => {
    const api = await openRollouts();
    const options = { idempotencyKey: 'start' };
    const answered = await Promise.all(Array.from({ length: 8 }, () => api.start({}, options)));
    expect(answered.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
    await api.move('abort');
    const replayed = await api.start({}, options);
    expect(replayed.headers['Idempotent-Replayed']).toBe('true');
    expect(replayed.text).toBe(answered[0]?.text);
    expect((await api.read()).status).toBe('aborted');
    expect((await api.send('GET', `${rolloutPath}s`)).data.items).toHaveLength(1);
  });

  test('of ten that start at once one does', async () => {
    const api = await openRollouts();
    const answered = await Promise.all(Array.from({ length: 10 }, (_, n) => api.start({ percent: n + 1 })));
    const created = answered.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const { error, status } of answered) if (status !== 201) expect(error.code).toBe('rollout_running');
    expect((await api.config()).rollout).toMatchObject({ id: created[0]?.data.id });
  });

  test('a key that is bound to another environment does not find it', async () => {
    const api = await openRollouts();
    await deploy(api, { environment: 'staging' });
    const staging = await deploy(api, { environment: 'staging', promote: false });
    const { secret: key } = await api.createKey({ scopes: allScopes, environments: ['staging'] });
    expect((await api.start({}, { key })).error.code).toBe('not_found');
    const path = '/environments/staging/rollout';
    const foreign = { deploymentId: api.candidate.id, percent: 10 };
    expect((await api.send('POST', path, foreign, { key })).error.code).toBe('not_found');
    const own = { deploymentId: staging.id, percent: 10 };
    expect((await api.send('POST', path, own, { key })).status).toBe(201);
    // Every other request of a rollout is bound as well.
    await api.started();
    for (const action of ['advance', 'complete', 'abort'] as const)
      expect((await api.move(action, {}, { key })).error.code).toBe('not_found');
    expect((await api.update({ paused: true }, { key })).error.code).toBe('not_found');
    for (const list of [rolloutPath, `${rolloutPath}s`])
      expect((await api.send('GET', list, undefined, { key })).error.code).toBe('not_found');
  });
});
