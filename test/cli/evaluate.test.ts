/** `platform evaluate`, and what shows its scores. */
// @module-tag long

import { beforeAll, expect, test } from 'vitest';
import { fakeModels } from '../../samples/models.ts';
import evaluationRunner from '../../workers/evaluation-runner.ts';
import { jsonLines, useCli } from '../support/cli.ts';

const modelCostUsd = 10;
const cli = useCli({
  workers: [evaluationRunner],
  adjust: ({ limits }) => ({
    models: fakeModels(),
    limits: { ...limits, live: { ...limits.live, quotas: { modelCostUsd } } },
  }),
});

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
/** Oldest first. */
const ids: string[] = [];

const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
const evaluate = (...args: string[]) => run('evaluate', ...args);

beforeAll(async () => {
  const { conversations, evaluators } = cli.project.project;
  await evaluators.create({ name: 'short', kind: 'rule', rule: { messages: { lte: 2 } } });
  const prompt = 'Is the avatar polite?';
  const model = { modelId: 'local.judge', prompt };
  await evaluators.create({ name: 'polite', kind: 'model', output: { type: 'boolean' }, model });
  const broken = { ...model, prompt: '[[throttle]]' };
  await evaluators.create({ name: 'late', kind: 'model', output: { type: 'boolean' }, model: broken });
  for (const length of [1, 2, 3]) {
    const { id } = await conversations.create({ avatarId, channel: length < 3 ? 'web' : 'phone' });
    const messages = Array.from({ length }, () => ({ role: 'user' as const, text: 'Hello?' }));
    await conversations.append(id, { messages });
    ids.push(id);
  }
});

const scoresOf = async (id = '') =>
  (await cli.project.project.conversations.get(id)).scores.map(({ name, value }) => [name, value]);

test('a dry run says what a run would cost, and stores nothing', async () => {
  const ran = await evaluate('--evaluator', 'short', '--evaluator', 'polite', '--dry-run');
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toMatch(
    /^3 conversations: a run would give 6 scores, 0 are stored already\. About 3 calls of models, \d+ \+ 600 tokens, \$0\.\d{4}\.\n$/,
  );
  expect((await evaluate('--evaluator', 'short', '--dry-run')).stdout).toMatch(
    /already\. No calls of models\.\n$/,
  );
  const [line] = jsonLines(await evaluate('--evaluator', 'short', '--dry-run', '--channel', 'web', '--json'));
  expect(line).toMatchObject({ conversations: 2, evaluated: 2, calls: 0, costUsd: 0, stoppedBecause: null });
  expect(line?.job).toMatch(/^job_/);
  expect(await scoresOf(ids[0])).toEqual([]);
});

test('a preview shows values, rationales and evidence, and stores nothing', async () => {
  const ran = await evaluate('--evaluator', 'short', '--preview');
  expect(ran).toMatchObject({ code: 0 });
  const [head, ...rows] = ran.stdout.split('\n');
  expect(head).toMatch(/^CONVERSATION +NAME +VALUE +EVIDENCE +RATIONALE/);
  // The newest first.
  expect(rows.slice(0, 3).map((row) => row.split(/ +/, 3))).toEqual([
    [ids[2], 'short', 'false'],
    [ids[1], 'short', 'true'],
    [ids[0], 'short', 'true'],
  ]);
  expect(ran.stdout).toMatch(/\n3 conversations: 3 scores\. No calls of models\.\n$/);
  const draft = {
    kind: 'model',
    output: { type: 'boolean' },
    model: { modelId: 'local.judge', prompt: 'Why?' },
  };
  const one = await evaluate('--draft', JSON.stringify(draft), '--preview', '--max-cost-usd', '0.1');
  expect(one).toMatchObject({ code: 0 });
  expect(one.stdout).toMatch(/\(draft\) +(true|false) +#1/);
  expect(await scoresOf(ids[0])).toEqual([]);
});

test('a run waits with --wait, and a second one gives only what is missing', async () => {
  const started = await evaluate('--evaluator', 'short', '--channel', 'phone', '--json');
  expect(started).toMatchObject({ code: 0 });
  const [job] = jsonLines(started);
  expect(job).toMatchObject({ type: 'conversations.evaluate' });
  expect(started.stderr).toContain(`platform jobs wait ${job?.id}`);
  expect(await run('jobs', 'wait', `${job?.id}`)).toMatchObject({ code: 0 });

  const ran = await evaluate('--evaluator', 'short', '--wait');
  expect(ran).toMatchObject({
    code: 0,
    stdout: '3 conversations: 2 scores, 1 unchanged. No calls of models.\n',
  });
  expect(await scoresOf(ids[2])).toEqual([['short', false]]);
  const listed = await run('conversations', 'list', '--score', 'short:eq:true', '--json');
  expect(jsonLines(listed).map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  expect((await run('conversations', 'list')).stdout).toMatch(/SCORES\n.*short=false\n.*short=true\n/);
  const both = ['--score', 'short:eq:true', '--score', 'short:exists'];
  expect(jsonLines(await evaluate('--evaluator', 'short', ...both, '--dry-run', '--json'))).toMatchObject([
    { conversations: 2, unchanged: 2 },
  ]);
});

test('a model costs: the limit is required, and the run stops at it with 8', async () => {
  const refused = await evaluate('--evaluator', 'polite', '--wait');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--max-cost-usd (maxCostUsd): is required, because a model is used');
  const stopped = await evaluate('--evaluator', 'polite', '--max-cost-usd', '0.000001', '--wait');
  expect(stopped).toMatchObject({ code: 8 });
  expect(stopped.stdout).toMatch(/^0 conversations: 0 scores\. No calls of models\.\n/);
  expect(stopped.stderr).toContain('the next call does not fit into --max-cost-usd');
  const ran = await evaluate('--evaluator', 'polite', '--max-cost-usd', '1', '--wait');
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toMatch(
    /^3 conversations: 3 scores\. 3 calls of models, \d+ \+ \d+ tokens, \$0\.\d{4}\.\n$/,
  );
});

test('a score that a model did not give is missing: the exit code is 8', async () => {
  const ran = await evaluate(
    '--evaluator',
    'late',
    '--channel',
    'phone',
    '--max-cost-usd',
    '1',
    '--wait',
    '--json',
  );
  expect(ran).toMatchObject({ code: 8 });
  expect(jsonLines(ran)).toMatchObject([{ evaluated: 0, failed: 1 }]);
  expect(ran.stderr).toContain('1 score is missing');
});

test('a cancelled run exits with 7, and a wrong use with 2', async () => {
  expect(await evaluate('--dry-run', '--preview')).toMatchObject({ code: 2 });
  expect(await evaluate('--preview', '--draft', 'short')).toMatchObject({ code: 2 });
  for (const usd of ['0', '-1', 'five', '1e9']) {
    const ran = await evaluate('--max-cost-usd', usd);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('--max-cost-usd must be a number above 0');
  }
  const nobody = await evaluate('--evaluator', 'nobody');
  expect(nobody).toMatchObject({ code: 4 });
  expect(nobody.stderr).toContain('platform evaluators list');
  const wrong = await evaluate('--score', 'short:eq');
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain('--score');
});

test('stats by a score, and with a score', async () => {
  const [stats] = jsonLines(await run('conversations', 'stats', '--group-by', 'score:short', '--json'));
  expect(stats).toMatchObject({ items: expect.anything(), totals: expect.anything() });
  const table = await run('conversations', 'stats', '--group-by', 'channel', '--score', 'short');
  expect(table).toMatchObject({ code: 0 });
  expect(table.stdout).toMatch(
    /^CHANNEL +CONVERSATIONS +MESSAGES +MEAN SECONDS +SCORED +UNKNOWN +MEAN +SHARES/,
  );
});
