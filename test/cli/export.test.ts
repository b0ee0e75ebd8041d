/** `conversations export`: exact, resumable, safe to open in a spreadsheet. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli();
/** The ids of the conversations of the 1st of March, in the order of their start. */
const expected: string[] = [];
let cwd: string;

const count = 110;
const formula = '=HYPERLINK("https://evil.example.com","x")';
const period = ['--from', '2026-03-01'];
const exporting = (...args: string[]) => ['conversations', 'export', ...args];
const run = (...args: string[]) => cli.run(exporting(...args), { env: cli.project.env, cwd });

beforeAll(async () => {
  // More than a page, half of them with the same start.
  const starts = Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(2026, 2, 1, 0, index >> 1)).toISOString(),
  );
  for (let next = 0; next < count; next += 25) await store(starts.slice(next, next + 25));
  await store(['2026-02-28T23:30:00.000Z', '2026-03-02T00:00:00.000Z']);
  const list = cli.project.project.conversations.list({
    startedFrom: '2026-03-01T00:00:00Z',
    startedBefore: '2026-03-02T00:00:00Z',
    order: 'oldest',
  });
  for await (const { id } of list) expected.push(id);
  expect(expected).toHaveLength(count);
});
let folders = 0;
let stored = 0;
beforeEach(() => {
  folders += 1;
  cwd = join(cli.home, `export-${folders}`);
  mkdirSync(cwd);
});

/** Conversations that started and ended at these times. */
async function store(
  starts: readonly string[],
  texts: readonly string[] = [formula, 'two\r\n"lines"', 'three'],
): Promise<void> {
  const conversations = starts.map((startedAt) => ({
    externalId: `call-${++stored}`,
    avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    startedAt,
    endedAt: startedAt,
    messages: texts.map((text) => ({ role: 'user' as const, text, at: startedAt })),
  }));
  await cli.project.project.conversations.import({ conversations });
}

const file = (name = 'out.jsonl') => join(cwd, name);
const lines = () =>
  readFileSync(file(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Nothing twice, nothing missing, in order, and nothing beside it. */
function expectComplete(): void {
  expect(lines().map(({ id }) => id)).toEqual(expected);
  for (const { messages } of lines())
    expect(messages.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3]);
  expect(readdirSync(cwd)).toEqual(['out.jsonl']);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
}

test('jsonl: a line for each conversation of the period, and the exact count', {
  tags: ['long'],
}, async () => {
  const ran = await run(...period, '-o', 'out.jsonl');
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  expect(ran.stderr).toContain(`${count} conversations with ${3 * count} messages in out.jsonl`);
  expectComplete();
  expect(lines()[0].messages[1].text).toBe('two\r\n"lines"');
});

test('stdout gets only the data', async () => {
  const ran = await run('--from', '2026-03-02');
  expect(jsonLines(ran)).toMatchObject([{ startedAt: '2026-03-02T00:00:00.000Z' }]);
  expect(ran.stderr).toContain('1 conversation with 3 messages\n');
});

test('csv: a row for each message; a formula becomes text, unless the user wants it', async () => {
  expect(await run('--from', '2026-03-02', '--format', 'csv', '-o', 'out.csv')).toMatchObject({ code: 0 });
  const text = readFileSync(file('out.csv'), 'utf8');
  expect(text).toMatch(/^conversationId,.*,seq,role,text,at,messageId\r\n/);
  expect(text.split('"\'=HYPERLINK(""https://evil.example.com"",""x"")"')).toHaveLength(2);
  expect(text.split('"two\r\n""lines"""')).toHaveLength(2);
  const raw = await run('--from', '2026-03-02', '--format', 'csv', '--no-escape-formulas');
  expect(raw.stdout).toContain('"=HYPERLINK(""https://evil.example.com"",""x"")"');
});

test('csv: a message of several lines is one cell, also when its lines end in LF or CR', async () => {
  const day = '2026-02-01T00:00:00.000Z';
  await store([day], ["hello\n=cmd|' /C calc'!A0", 'old\r=1+1', '\n=1+1', ' plain']);
  const { stdout } = await run('--from', '2026-02-01', '--format', 'csv');
  const cells = [...stdout.matchAll(/,user,("[^"]*"|[^",\r\n]*),2026-02-01T/g)].map(([, cell]) => cell);
  expect(cells).toEqual(['"hello\n=cmd|\' /C calc\'!A0"', '"old\r=1+1"', '"\'\n=1+1"', ' plain']);
  const raw = await run('--from', '2026-02-01', '--format', 'csv', '--no-escape-formulas');
  expect(raw.stdout).toContain('"\n=1+1"');
});

test('--time-zone moves the day', async () => {
  const [summary] = jsonLines(
    await run(...period, '--time-zone', 'America/New_York', '-o', 'out.jsonl', '--json'),
  );
  expect(summary).toEqual({
    file: 'out.jsonl',
    startedFrom: '2026-03-01T05:00:00.000Z',
    startedBefore: '2026-03-02T05:00:00.000Z',
    // Of the 2nd of March in UTC.
    conversations: 1,
    messages: 3,
    erased: 0,
    active: 0,
  });
});

describe('an interrupted run', () => {
  const args = exporting(...period, '-o', 'out.jsonl', '--verbose', '--concurrency', '2');
  const countIn = (text: string) => text.split('GET ').length - 1;

  /** Ends it after this many responses. */
  async function interrupted(responses: number, signal: 'SIGINT' | 'SIGTERM'): Promise<number | null> {
    let seen = 0;
    const running = cli.start(args, {
      env: cli.project.env,
      cwd,
      onStderr(text) {
        seen += countIn(text);
        if (seen >= responses) running.interrupt(signal);
      },
    });
    return (await running.ended).code;
  }

  test('by Ctrl+C exits with 130, keeps what is complete, and continues', { tags: ['long'] }, async () => {
    expect(await interrupted(40, 'SIGINT')).toBe(130);
    const { conversations } = JSON.parse(readFileSync(file('out.jsonl.progress'), 'utf8'));
    expect(conversations).toBeGreaterThan(20);
    expect(existsSync(file())).toBe(false);
    const ran = await run(...period, '-o', 'out.jsonl');
    expect(ran.stderr).toContain(`Continuing after ${conversations} conversations.`);
    expect(ran.stderr).toContain(`${count} conversations with ${3 * count} messages`);
    expectComplete();
  });

  test('behind the first page continues there, and does not read the first page again', {
    tags: ['long'],
  }, async () => {
    await interrupted(count, 'SIGTERM');
    const { cursor, done } = JSON.parse(readFileSync(file('out.jsonl.progress'), 'utf8'));
    expect(cursor).toEqual(expect.any(String));
    expect(done.length).toBeLessThan(11);
    const { code, stderr } = await run(...period, '-o', 'out.jsonl', '--verbose');
    expect(code).toBe(0);
    expect(stderr.split('/transcript?').length - 1).toBeLessThan(12);
    expectComplete();
  });

  test('whose last bytes are incomplete cuts them off', { tags: ['long'] }, async () => {
    await interrupted(10, 'SIGINT');
    const partial = file('out.jsonl.partial');
    writeFileSync(partial, `${readFileSync(partial, 'utf8')}{"id":"conv_cut off`);
    expect(await run(...period, '-o', 'out.jsonl')).toMatchObject({ code: 0 });
    expectComplete();
  });

  test('is not continued with something else, and is discarded only with --restart', async () => {
    await interrupted(40, 'SIGINT');
    const other = await run('--from', '2026-03-02', '-o', 'out.jsonl');
    expect(other).toMatchObject({ code: 5, stderr: expect.stringContaining('--restart') });
    expect(await run('--from', '2026-03-02', '-o', 'out.jsonl', '--restart')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^1 conversation with 3 messages in out.jsonl$/m),
    });
    expect(lines()).toHaveLength(1);
  });

  test('that was killed behind the last byte is only finished', async () => {
    await interrupted(40, 'SIGINT');
    const progress = file('out.jsonl.progress');
    writeFileSync(
      progress,
      JSON.stringify({ ...JSON.parse(readFileSync(progress, 'utf8')), isComplete: true }),
    );
    const { stderr } = await run(...period, '-o', 'out.jsonl', '--verbose');
    expect(stderr).not.toContain('GET ');
    expect(readdirSync(cwd)).toEqual(['out.jsonl']);
  });

  /** @returns whether it was killed, and not complete before */
  async function killedAfter(responses: number): Promise<boolean> {
    const child = cli.startProcess(args, { env: cli.project.env, cwd });
    let seen = 0;
    child.stderr?.on('data', (chunk) => {
      seen += countIn(String(chunk));
      if (seen >= responses) child.kill('SIGKILL');
    });
    return new Promise((done) => child.once('close', (code) => done(code === null)));
  }

  const killed = async (kills: number) => {
    for (let killCount = 0; killCount < kills; ) {
      if (await killedAfter(1 + Math.floor(Math.random() * 70))) killCount += 1;
      else expectComplete();
    }
    expect(await run(...period, '-o', 'out.jsonl')).toMatchObject({ code: 0 });
    expectComplete();
  };
  test('that is killed three times has nothing twice and nothing missing', { tags: ['long'] }, () =>
    killed(3),
  );
  test('that is killed fifty times has nothing twice and nothing missing', { tags: ['nightly'] }, () =>
    killed(50),
  );
});

describe('a second run for the same file', () => {
  test('is refused while the first one runs', async () => {
    writeFileSync(file('out.jsonl.lock'), JSON.stringify({ pid: process.ppid, host: hostname() }));
    const ran = await run(...period, '-o', 'out.jsonl');
    expect(ran).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Another export writes out.jsonl.'),
    });
    expect(existsSync(file('out.jsonl.lock'))).toBe(true);
  });

  test('replaces a complete file at once', async () => {
    writeFileSync(file(), 'old');
    expect(await run('--from', '2026-03-02', '-o', 'out.jsonl')).toMatchObject({ code: 0 });
    expect(lines()).toHaveLength(1);
    expect(readdirSync(cwd)).toEqual(['out.jsonl']);
  });
});

test('a file that cannot be written: exit code 1', async () => {
  expect(await run(...period, '-o', 'missing/out.jsonl')).toMatchObject({ code: 1 });
});
