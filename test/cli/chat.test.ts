/** `platform chat`: what it prints, its commands, its exit codes, and Ctrl+C. */

import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { costLines, costOf, passageLines, sourceLines } from '../../cli/src/chat/show.ts';
import { runCommand } from '../../cli/src/run-command.ts';
import type { ListedReply, ReplyPassage } from '../../clients/typescript/src/index.ts';
import { fakeModels, type StreamScript } from '../../samples/models.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import replyRunner from '../../workers/reply-runner.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { testModel } from '../support/replies.ts';
import { silentShell } from './silent-shell.ts';

describe('below an answer', () => {
  const cited = { documentId: 'kdoc_1', snippet: null, page: null, title: 'Returns' };

  test('sources are documents and pages, each once, and harmless', () => {
    expect(
      sourceLines([
        cited,
        { ...cited, page: 12 },
        cited,
        { ...cited, title: null },
        { ...cited, title: '\u001b[31mA\nB' },
      ]),
    ).toEqual(['[1] Returns', '[2] Returns, p. 12', '[3] kdoc_1', '[4] A B']);
  });

  test('passages are used or not', () => {
    const passage: ReplyPassage = {
      number: 1,
      pieceId: 'p',
      documentId: 'kdoc_1',
      title: 'Returns',
      page: 2,
      score: 3.5,
      cited: false,
    };
    expect(passageLines([passage, { ...passage, page: null, cited: true }])).toEqual([
      'Used:',
      '  Returns  (score 3.5)',
      'Not used:',
      '  Returns, p. 2  (score 3.5)',
    ]);
    expect(passageLines([])).toEqual([]);
  });

  test('costs of replies are summed; the newest reply is the last one', () => {
    const cost = costOf([{ costUsd: null }, { costUsd: 0.1 }, { costUsd: 0.2 }] as ListedReply[]);
    expect(cost).toEqual({ replies: 3, costUsd: 0.3, lastUsd: null });
    expect(costLines(cost, { model: 'm', inputTokens: 5, outputTokens: null })).toEqual([
      'The last reply: unknown (m)',
      'The conversation: $0.3 (3 replies)',
    ]);
  });
});

describe('the command', () => {
  let script: (question: string) => StreamScript = () => ({});
  const questionOf = (content: readonly string[] = []) => content.join('\n');
  const models = fakeModels(undefined, [testModel], ({ messages }) =>
    script(questionOf(messages.at(-1)?.content)),
  );
  const cli = useCli({
    workers: [replyRunner, knowledgeIndexer],
    adjust: ({ limits }) => ({
      models,
      limits: { ...limits, live: { ...limits.live, quotas: { ...limits.live.quotas, modelCostUsd: 10 } } },
    }),
  });
  const run = (...args: string[]) => cli.run(['chat', ...args], { env: cli.project.env });
  let avatarId = '';

  beforeAll(async () => {
    const { project } = cli.project;
    const model = { modelId: testModel.id, maxTokens: 200 };
    const made = { name: 'Ada', persona: { prompt: 'You are Ada.' }, model, knowledgeTags: ['shop'] };
    avatarId = (await project.avatars.create(made)).id;
    await project.knowledge.documents.create({
      title: 'Returns',
      content: 'You can return an article within thirty days.',
      tags: ['shop'],
    });
    await project.jobs.waitForSuccess(project.knowledge.reindex());
  });

  test('without production, it says what can answer: 5', async () => {
    expect(await run('Ada', '--once', 'Hello?')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('--draft or --deployment ID'),
    });
  });

  test('--once prints the text of the draft as it comes, with its sources', async () => {
    let open = () => {};
    const gate = new Promise<void>((opened) => {
      open = opened;
    });
    script = () => ({ steps: ['Within thirty days\u001b[31m [1].', 1200, 'Or ', () => gate, 'later.'] });
    const started = cli.start(['chat', '--draft', '--once', 'How long can I return an article?'], {
      env: cli.project.env,
    });
    await expect.poll(() => started.shown().stdout, { timeout: 10_000 }).toContain('Within thirty days');
    open();
    const { code, stdout, stderr } = await started.ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'Within thirty days.Or later.\n[1] Returns\n',
      stderr: '',
    });
    const { items } = await cli.project.project.conversations.list({ test: true });
    expect(items).toMatchObject([{ test: true, status: 'ended', deploymentId: null }]);
  });

  test('production answers line by line; commands show passages and costs', async () => {
    await cli.project.project.deployments.create({ environment: 'production' });
    script = (question) => ({ steps: [question.includes('second') ? 'Two.' : 'One [1].'] });
    const ran = await cli.run(['chat', avatarId], {
      env: cli.project.env,
      input:
        '/cost\nreturn the first article\n/sources\n\nreturn the second article\n/sources\n/cost\n/quit\nnever\n',
    });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing has been asked yet') });
    expect(ran.stdout).toMatch(
      /^One\.\n\[1\] Returns\nUsed:\n {2}Returns {2}\(score [\d.]+\)\nTwo\.\nNot used:\n {2}Returns {2}\(score [\d.]+\)\nThe last reply: \$[\d.e-]+ \(test\.model, \d+ tokens in, \d+ out\)\nThe conversation: \$[\d.e-]+ \(2 replies\)\n$/,
    );
  });

  test('a failure is exit code 7, and /retry asks again', async () => {
    const failing: StreamScript = { end: { kind: 'unavailable', message: 'gone' } };
    script = () => failing;
    const failed = await run('--once', 'Hello?');
    expect(failed).toMatchObject({ code: 7, stdout: '' });
    expect(failed.stderr).toMatch(/The reply rpl_\w+ has failed: .+ \(\w+\)/);
    let asked = 0;
    script = () => (asked++ === 0 ? failing : { steps: ['Now.'] });
    const retried = await cli.run(['chat', '--json'], { env: cli.project.env, input: 'Hello?\n/retry\n' });
    expect(retried.code).toBe(7);
    const [first, second] = jsonLines(retried);
    expect(first).toMatchObject({ status: 'failed', text: '' });
    expect(second).toMatchObject({ status: 'done', text: 'Now.', retryOf: first?.id });
  });

  test('Ctrl+C cancels the reply: 130', async () => {
    script = () => ({ steps: ['Begun', 60_000] });
    const waiting = cli.start(['chat', '--once', 'Hello?'], { env: cli.project.env });
    await expect.poll(() => waiting.shown().stdout, { timeout: 10_000 }).toContain('Begun');
    waiting.interrupt();
    expect(await waiting.ended).toMatchObject({
      code: 130,
      stdout: 'Begun\n',
      stderr: expect.stringContaining('The reply is cancelled.'),
    });
  });

  test('in a terminal, Ctrl+C cancels the reply and the chat goes on; another one ends it', async () => {
    script = () => ({ steps: ['Begun', 60_000] });
    const shell = {
      ...silentShell(),
      env: { HOME: cli.home, ...cli.project.env },
      cwd: cli.home,
      nowMs: Date.now,
    };
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    let shown = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (part) => (shown += String(part)));
    const code = runCommand({ ...shell, stdin }, ['chat', 'Ada']);
    await expect.poll(() => shown).toContain('You talk with Ada, as production has it.');
    stdin.write('Hello?\r');
    await expect.poll(() => shown, { timeout: 10_000 }).toContain('Begun');
    stdin.write('\u0003');
    await expect.poll(() => shown).toContain('The reply is cancelled.');
    stdin.write('/help\r');
    await expect.poll(() => shown).toContain('There is no command "/help".');
    stdin.write('\u0003');
    expect(await code).toBe(130);
  });

  test('a choice is needed among several avatars, and wrong uses are refused: 2', async () => {
    expect(await run('--draft', '--environment', 'production')).toMatchObject({ code: 2 });
    expect(await run('--once', ' ')).toMatchObject({ code: 2 });
    const second = await cli.project.project.avatars.create({
      name: 'Bea',
      persona: { prompt: 'You are Bea.' },
    });
    expect(await run('--once', 'Hello?')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${second.id}  Bea`),
    });
    expect(await run('Bea', '--draft', '--once', 'Hello?')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('--model MODEL'),
    });
  });
});
