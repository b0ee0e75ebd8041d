/** `platform rollout`: the moves, the wait with its exit codes, and what other commands say meanwhile. */

import { beforeEach, describe, expect, test } from 'vitest';
import { guardFrom, percentFrom, stepFrom } from '../../cli/src/rollouts/parse.ts';
import { breachSentence, guardSentence, holdOf } from '../../cli/src/rollouts/sentences.ts';
import type { ComparedGuard, RolloutGuard } from '../../clients/typescript/src/index.ts';
import { getEnvironment } from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import { end } from '../../lib/rollouts/moves.ts';
import { getRollout } from '../../lib/rollouts/store.ts';
import { writeMove } from '../../lib/rollouts/write-move.ts';
import { jsonLines, useCli } from '../support/cli.ts';

describe('options', () => {
  test.each([
    ['10:60m', { percent: 10, holdMinutes: 60 }],
    ['10:90min', { percent: 10, holdMinutes: 90 }],
    ['0.5:2h', { percent: 0.5, holdMinutes: 120 }],
    ['99.99:3d', { percent: 99.99, holdMinutes: 4320 }],
    ['50:pause', { percent: 50, pause: true }],
  ])('the step %s', (text, step) => expect(stepFrom(text)).toEqual(step));

  test.each([
    '',
    '10',
    '10:',
    ':60m',
    '0:60m',
    '100:60m',
    '1.001:60m',
    '10:60',
    '10:60s',
    '10:60m:1',
    '10:toString',
  ])('a step is refused: %j', (text) => expect(() => stepFrom(text)).toThrow('--step must be'));

  test.each([
    ['solved:higher:0.05', { score: 'solved', better: 'higher', maxHarm: 0.05 }],
    ['seconds:lower:30', { score: 'seconds', better: 'lower', maxHarm: 30 }],
    [
      'mood:lower:0:max-unknown=0.1:minimum=200:value=a:b=c',
      { score: 'mood', better: 'lower', maxHarm: 0, maxUnknown: 0.1, minimum: 200, value: 'a:b=c' },
    ],
  ])('the guard %s', (text, guard) => expect(guardFrom(text)).toEqual(guard));

  test.each([
    ['solved', 'three parts'],
    ['solved:more:1', 'higher or lower'],
    ['solved:higher:a', 'a number'],
    ['solved:higher:-1', 'a number'],
    ['solved:higher:1:minimum', 'a number for minimum'],
    ['solved:higher:1:toString=1', 'no part "toString"'],
    ['solved:higher:1:value=a:b', ''],
  ])('a guard is refused, unless its value has the rest: %s', (text, problem) => {
    if (problem === '') expect(guardFrom(text).value).toBe('a:b');
    else expect(() => guardFrom(text)).toThrow(problem);
  });

  test('a percent has two decimals at most', () => {
    expect([percentFrom('0.01'), percentFrom('99.99')]).toEqual([0.01, 99.99]);
    for (const text of ['0', '100', '1e1', '0.001', '-1', ''])
      expect(() => percentFrom(text)).toThrow('--percent');
  });
});

describe('sentences', () => {
  const guard: RolloutGuard = {
    score: 'solved',
    better: 'higher',
    maxHarm: 0.05,
    minimum: 50,
    maxUnknown: 0.2,
  };
  const side = (mean: number | null) => ({ units: 400, open: 0, unknown: 0, mean });
  const compared: ComparedGuard = {
    score: 'solved',
    value: null,
    verdict: 'passed',
    undecidedReason: null,
    current: side(0.82),
    candidate: side(0.78),
    difference: -0.04,
    low: -0.07,
    high: -0.01,
  };

  test('a share is in points', () => {
    expect(guardSentence(guard, compared, true)).toBe(
      'solved: the candidate has 4 points less (78 % and 82 %); between 1 and 7 less; the guard allows 5 points less. Passed.',
    );
    const { verdict: _, ...figures } = compared;
    const around = {
      ...figures,
      verdict: 'undecided',
      undecidedReason: 'too_few_units',
      high: 0.012,
    } as const;
    expect(guardSentence(guard, around, true)).toBe(
      'solved: the candidate has 4 points less (78 % and 82 %); between 7 less and 1.2 more; the guard allows 5 points less. ' +
        'Undecided: too few units have a value (the guard needs 50 on each side).',
    );
  });

  test('a number is in its unit, and a category has a name', () => {
    const numbers = { ...compared, difference: 12, low: 4, high: 20, current: side(31), candidate: side(43) };
    const seconds: RolloutGuard = { ...guard, score: 'seconds', better: 'lower', maxHarm: 3 };
    expect(guardSentence(seconds, { ...numbers, verdict: 'breached' }, false)).toBe(
      'seconds: the candidate has 12 more (43 and 31); between 4 and 20 more; the guard allows 3 more. Breached.',
    );
    const mood: RolloutGuard = { ...guard, score: 'mood', value: 'angry', maxHarm: 0 };
    const nothing = { ...compared, difference: null, low: null, high: null, current: side(null) };
    const undecided = { ...nothing, verdict: 'undecided', undecidedReason: 'nothing_evaluated' } as const;
    expect(guardSentence(mood, undecided, true)).toBe(
      'mood = angry: there is nothing to compare yet; the guard allows nothing less. ' +
        'Undecided: nothing is evaluated on both sides.',
    );
  });

  test('a breach has the figures of that moment', () => {
    const breach = {
      score: 'solved',
      value: null,
      current: { units: 1, mean: 1 },
      candidate: { units: 2, mean: 0.5 },
    };
    expect(breachSentence(breach, true)).toBe(
      'When solved was breached, the candidate had 50 % of 2 units, and the current deployment 100 % of 1 unit.',
    );
  });

  test('a hold is in the largest whole unit', () => {
    const holds = [1, 90, 120, 1440, 2880].map((holdMinutes) => holdOf({ percent: 1, holdMinutes }));
    expect(holds).toEqual(['1 minute', '90 minutes', '2 hours', '1 day', '2 days']);
  });
});

describe('commands', () => {
  const cli = useCli();
  const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
  const rollout = (...args: string[]) => run('rollout', ...args);
  const guard = 'solved:higher:0.05:minimum=20';
  let candidate = '';

  beforeEach(async () => {
    const { deployments, environments, evaluators, rollouts } = cli.project.project;
    const served = await environments.list();
    if (served.items.length === 0) {
      await evaluators.create({ name: 'solved', kind: 'external', output: { type: 'boolean' } });
      await deployments.create({ environment: 'production' });
    } else if ((await environments.config('production')).rollout !== null) await rollouts.abort('production');
    candidate = (await deployments.create({ environment: 'production', promote: false })).id;
  });

  const start = (...args: string[]) =>
    rollout(
      'start',
      'production',
      '--deployment',
      candidate,
      ...(args.length > 0 ? args : ['--percent', '10']),
    );
  const pause = () => cli.project.project.rollouts.update('production', { paused: true, reason: 'Wait.' });

  /** Ends the rollout as a breached guard does. */
  async function rollBack(): Promise<void> {
    const { runtime, organisationId } = cli.api;
    const session = openSession(runtime.client, runtime.tableNames, {
      deployments: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    });
    const store = bindStore(session, `${organisationId}#live`).inProject(cli.project.id);
    const environment = await getEnvironment(store, 'production');
    const running = environment?.rollout && (await getRollout(store, environment.rollout.id));
    if (!environment || !running) throw new Error('no rollout runs');
    const nowMs = runtime.nowMs();
    const actor = { at: timestamp(nowMs), by: 'worker:test', reason: 'guard_breached' };
    const figures = (mean: number) => ({ units: 30, mean });
    const breach = { score: 'solved', value: null, current: figures(0.9), candidate: figures(0.5) };
    const ended = end(running, 'rolled_back', actor, breach);
    if ('refused' in ended) throw new Error(ended.refused);
    const writes = await writeMove(store, { rollout: running, environment }, ended.rollout);
    const stamps = { changedBy: 'worker:test', changedThrough: 'worker:test', nowMs };
    expect(
      await commit(session, writes, { ...stamps, changedIn: runtime.newId('call', nowMs) }),
    ).toBeUndefined();
  }

  test('start with steps and guards, status, advance, and the end', async () => {
    const started = await start(
      '--step',
      '10:60m',
      '--step',
      '50:pause',
      '--guard',
      guard,
      '--reason',
      'Friendlier.',
    );
    expect(started).toMatchObject({ code: 0, stderr: '' });
    expect(started.stdout).toMatch(/^The rollout rol_\w+ in production \(now\) is running: Friendlier\.\n/);
    expect(started.stdout).toContain(`10 % of the units get the candidate ${candidate}, all others get dep_`);
    expect(started.stdout).toContain('> 1. 10 %, 1 hour, until in ');
    expect(started.stdout).toContain('  2. 50 %, until advance\n');
    const shown = await rollout('status', 'production');
    expect(shown.stdout).toContain('0 units with the candidate, 0 with the current deployment.');
    expect(shown.stdout).toContain(
      'solved: there is nothing to compare yet; the guard allows 5 points less. Undecided: nothing is evaluated',
    );
    const [json] = jsonLines(await rollout('status', 'production', '--json'));
    expect(json).toMatchObject({
      steps: [
        { percent: 10, holdMinutes: 60 },
        { percent: 50, pause: true },
      ],
      guards: [{ score: 'solved', better: 'higher', maxHarm: 0.05, minimum: 20, maxUnknown: 0.2 }],
      onBreach: 'roll_back',
      comparison: { guards: [{ verdict: 'undecided' }] },
    });
    const advanced = await rollout('advance', 'production', '--wait', '--reason', 'Looks good.');
    expect(advanced).toMatchObject({ code: 0, stderr: '50 %: waits for advance: Looks good.\n' });
    expect(advanced.stdout).toContain('> 2. 50 %, until advance');
    const completed = await rollout('advance', 'production', '--wait', '--json');
    expect(completed).toMatchObject({ code: 0 });
    expect(jsonLines(completed)).toMatchObject([{ status: 'completed', deploymentId: candidate }]);
    expect((await rollout('status', 'production')).stdout).toContain(
      `Everybody gets the candidate ${candidate}.`,
    );
    expect((await cli.project.project.environments.get('production')).current).toBe(candidate);
    const listed = jsonLines(await rollout('list', 'production', '--json'));
    expect(listed[0]).toMatchObject({ status: 'completed', deploymentId: candidate });
  });

  test('update, pause, resume, complete and abort', async () => {
    expect((await start()).stdout).toContain('It has no guards: nothing stops it by itself.');
    const moves = [
      ['update', '--percent', '25.5'],
      ['pause', '--reason', 'Slow.'],
      ['resume'],
      ['complete', '--reason', 'Better.'],
    ];
    const states: unknown[] = [];
    for (const [move = '', ...options] of moves) {
      const [moved] = jsonLines(await rollout(move, 'production', ...options, '--json'));
      states.push([moved?.status, moved?.percent, moved?.reason]);
    }
    expect(states).toEqual([
      ['running', 25.5, null],
      ['paused', 25.5, 'Slow.'],
      ['running', 25.5, null],
      ['completed', 25.5, 'Better.'],
    ]);
    const ended = await rollout('abort', 'production');
    expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining('platform rollout status') });
  });

  test('a wait ends with 12 after a roll back, which pins the environment', async () => {
    await start('--percent', '10', '--guard', guard);
    const waiting = cli.start(['rollout', 'status', 'production', '--wait'], { env: cli.project.env });
    await expect.poll(() => waiting.shown().stderr).toContain('10 %: is running');
    await rollBack();
    const ran = await waiting.ended;
    expect(ran).toMatchObject({
      code: 12,
      stderr: expect.stringContaining('was rolled back: a guard was breached'),
    });
    expect(ran.stdout).toContain(
      'When solved was breached, the candidate had 50 % of 30 units, and the current deployment 90 % of 30 units.',
    );
    // It has ended already.
    expect(await rollout('status', 'production', '--wait')).toMatchObject({ code: 12 });
    expect(await rollout('status', 'production')).toMatchObject({ code: 0 });
    const held = await run('deploy');
    expect(held).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('A rollback has pinned production'),
    });
    await cli.project.project.deployments.promote(candidate);
  });

  test('a wait ends with 7 if it is paused or aborted, and with 13 at the timeout', async () => {
    const timedOut = await start('--percent', '10', '--wait', '--timeout', '1');
    expect(timedOut).toMatchObject({
      code: 13,
      stderr: expect.stringContaining('has not ended within 1 second'),
    });
    expect(timedOut.stdout).toContain('10 % of the units');
    await pause();
    const paused = await rollout('status', 'production', '--wait', '--json');
    expect(paused).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('platform rollout resume production'),
    });
    expect(jsonLines(paused)).toMatchObject([{ status: 'paused', reason: 'Wait.' }]);
    const waiting = cli.start(['rollout', 'resume', 'production', '--wait'], { env: cli.project.env });
    await expect.poll(() => waiting.shown().stderr).toContain('10 %: is running');
    // Another rollout has begun before the next look.
    const { rollouts } = cli.project.project;
    await rollouts.abort('production');
    await rollouts.start('production', { deploymentId: candidate, percent: 20 });
    const ran = await waiting.ended;
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining('was aborted') });
    expect(ran.stdout).toContain(`Nobody gets the candidate ${candidate} any more.`);
  });

  test('Ctrl+C ends the wait, and the rollout goes on', async () => {
    await start();
    const waiting = cli.start(['rollout', 'status', 'production', '--wait'], { env: cli.project.env });
    await expect.poll(() => waiting.shown().stderr).toContain('10 %: is running');
    waiting.interrupt();
    expect(await waiting.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('To wait for it: platform rollout status production --wait'),
    });
  });

  test('a deployment stays staged meanwhile: 9, with the reason', async () => {
    await start();
    const dry = await run('deploy', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringMatching(/The rollout rol_\w+ runs/) });
    const held = await run('deploy', '--json');
    expect(held).toMatchObject({ code: 9, stderr: expect.stringContaining('A rollout runs in production') });
    expect(jsonLines(held)).toMatchObject([{ heldBack: true, heldBackReason: 'rollout' }]);
    const again = await start();
    expect(again).toMatchObject({ code: 5, stderr: expect.stringContaining('platform rollout abort') });
  });

  test('completions offer the environments and the actions', async () => {
    const offered = async (...words: string[]) =>
      (await run('__complete', 'rollout', ...words)).stdout.split('\n').map((line) => line.split('\t')[0]);
    for (const move of ['start', 'status', 'advance', 'pause', 'resume', 'complete', 'abort'])
      expect(await offered(move, 'pro')).toEqual(['production', '']);
    expect(await offered('start', 'production', '--on-breach', '')).toEqual(['roll_back', 'pause', '']);
    expect(await offered('re')).toEqual(['resume', '']);
  });

  test('wrong uses are refused with the option: 2', async () => {
    expect((await rollout('start', 'production', '--percent', '5')).stderr).toContain(
      '--deployment is required',
    );
    for (const args of [
      ['--percent', '5', '--step', '5:pause'],
      ['--guard', guard],
    ])
      expect(await start(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--percent or --step is required, and not both'),
      });
    const unknown = await start('--percent', '5', '--guard', 'nobody:higher:0.1');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('--guard (guards.0.score)') });
    const falling = await start('--step', '20:1h', '--step', '10:pause');
    expect(falling).toMatchObject({ code: 2, stderr: expect.stringContaining('--step (steps)') });
    expect(await rollout('status', 'nowhere')).toMatchObject({ code: 4 });
    expect(await rollout('update', 'production')).toMatchObject({ code: 2 });
  });
});
