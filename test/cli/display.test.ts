/** What people see: tables, times, jq, completions, and options in any place. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commonLast } from '../../cli/src/arguments.ts';
import { table } from '../../cli/src/output/table.ts';
import { relativeTime } from '../../cli/src/output/text.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { silentShell } from './silent-shell.ts';

const plain = (_style: unknown, text: string) => text;

describe('a table', () => {
  const id = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  const row = {
    id,
    created: '12 min ago',
    phase: 'superseded',
    reason: 'It greets strangers by name.',
    ref: 'main',
  };
  const columns = Object.fromEntries(
    Object.keys(row).map((name) => [name, (one: object) => Object(one)[name]]),
  );

  test.each([80, 60, 40])('fits %i columns', (width) => {
    const lines = table([row, row], columns, plain, width).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain(id);
  });

  test('in 80 columns, has what a rollback is chosen by, and gives it all the room', () => {
    const { reason, ref, ...rest } = row;
    const full = { ...rest, commit: '4b825dc', reason, ref };
    const all = Object.fromEntries(
      Object.keys(full).map((name) => [name, (one: object) => Object(one)[name]]),
    );
    const [head, first] = table([full, { ...full, phase: 'current' }], all, plain, 80).split('\n');
    expect(head?.trim().split(/ +/)).toEqual(['ID', 'CREATED', 'PHASE', 'COMMIT', 'REASON']);
    expect(first).toBe(`${id}  12 min ago  superseded  4b825dc  It greets stra…`);
    expect(first).toHaveLength(80);
  });

  test('leaves out empty columns before it shortens text', () => {
    const wide = { ...row, empty: '', other: null, reason: 'It greets strangers', ref: undefined };
    const names = Object.keys({ ...row, empty: '', other: '' }).toSorted();
    const all = Object.fromEntries(names.map((name) => [name, (one: object) => Object(one)[name]]));
    const shown = table([wide], all, plain, 80);
    expect(shown).toContain(`12 min ago  ${id}  superseded  It greets strangers\n`);
    expect(shown).not.toContain('REF');
    expect(shown).not.toContain('EMPTY');
  });

  test.each([80, 60, 50, 31, 20])('in %i columns, never cuts ids, times and statuses', (width) => {
    const cells = table([row, row], columns, plain, width).split('\n').slice(1).join('  ').split('  ');
    const cut = cells.filter((cell) => cell.endsWith('…'));
    expect(cut.filter((cell) => !row.reason.includes(cell.slice(0, -1)))).toEqual([]);
  });

  test('has everything where there is room', () => {
    expect(table([row], columns, plain, 200)).toContain('superseded  It greets strangers by name.  main\n');
  });
});

test.each([
  [0, 'now'],
  [45, '45 s ago'],
  [150, '2 min ago'],
  [7300, '2 h ago'],
  [200_000, '2 d ago'],
  [-7300, 'in 2 h'],
  [86_400 * 800, '2 y ago'],
])('%i seconds ago is %s', (seconds, text) => {
  const now = Date.parse('2026-03-01T10:00:00.000Z');
  expect(relativeTime(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
});

describe('the command line', () => {
  const cli = useCli();
  const run = (...args: string[]) => cli.run(args, { env: cli.project.env });

  test('shows relative times; --utc and --json are exact', async () => {
    await run('deploy', '--reason', 'Greets by name.', '--sha', '4b825dc', '--ref', 'main');
    const list = ['deployments', 'list', '--environment', 'production'];
    expect((await run(...list)).stdout).toMatch(
      /^ID +PROMOTED +PHASE +COMMIT +REASON +REF\ndep_\w+ +(?:now|\d+ s ago) +current +4b825dc +Greets by name\. +main$/m,
    );
    expect((await run(...list, '--utc')).stdout).toMatch(/^dep_\w+ +\d{4}-\d\d-\d\dT[\d:.]+Z /m);
    expect(jsonLines(await run(...list, '--json'))[0]?.createdAt).toMatch(/Z$/);
  });

  test('common options may stand anywhere', async () => {
    const { baseUrl, apiKey } = cli.service;
    await cli.run(['login', '--profile', 'staging', '--base-url', baseUrl], { input: apiKey });
    for (const args of [
      ['--profile', 'staging', '--json', 'projects', 'list'],
      ['projects', '--profile=staging', 'list', '--json'],
      ['projects', 'list', '--profile', 'staging', '--json'],
    ])
      expect(
        jsonLines(await cli.run(args)).map(({ id }) => id),
        args.join(' '),
      ).toContain(cli.project.id);
    expect(await cli.run(['--profile', 'none', 'projects', 'list'])).toMatchObject({ code: 2 });
  });

  test('--jq prints what jq selects, and says so where it is not installed', async () => {
    const args = ['projects', 'get', cli.project.id, '--jq', '.name'];
    // jq prints to the streams of the process.
    const inProcess = (...own: string[]) => cli.runProcess(own, { env: cli.project.env });
    expect(await inProcess(...args)).toMatchObject({ code: 0, stdout: 'Support\n' });
    expect(await inProcess('projects', 'list', '--jq', '.id, -1')).toMatchObject({ code: 0 });
    expect(await inProcess(...args.slice(0, -1), '.[')).toMatchObject({ code: 2 });
    const env = { ...cli.project.env, PATH: cli.home };
    expect(await cli.run(args, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Install it'),
    });
  });

  test('-o with .csv writes CSV', async () => {
    const { project } = cli.project;
    const { id } = await project.conversations.create({ avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' });
    await project.conversations.append(id, { messages: [{ role: 'user', text: '=1+1' }] });
    const file = join(cli.home, 'y.csv');
    expect(await run('conversations', 'export', '-o', file)).toMatchObject({ code: 0 });
    const [head, first] = readFileSync(file, 'utf8').split('\r\n');
    expect(head).toMatch(/^conversationId,/);
    expect(first).toContain("user,'=1+1,");
  });

  test('completions offer ids, names, scopes, environments and profiles, and files only where files are meant', async () => {
    const avatar = await cli.project.project.avatars.create({ name: 'Clara', persona: { prompt: 'p' } });
    const offered = async (...words: string[]) => {
      const { code, stdout } = await run('__complete', ...words);
      return code === 1 ? 'files' : stdout.split('\n').map((line) => line.split('\t')[0]);
    };
    expect(await offered('avatars', 'get', '')).toEqual(['Clara', avatar.id, '']);
    expect(await offered('avatars', 'get', 'Cl')).toEqual(['Clara', '']);
    expect(await offered('conversations', 'list', '--avatar', 'avtr')).toEqual([avatar.id, '']);
    expect(await offered('keys', 'create', '--scope', 'deploy')).toEqual(['deploy:read', 'deploy:write', '']);
    expect(await offered('webhooks', 'create', '--event-type', 'job.f')).toEqual(['job.failed', '']);
    expect(await offered('rollback', '--environment', 'pro')).toEqual(['production', '']);
    expect(await offered('projects', 'list', '--profile', 'st')).toEqual(['staging', '']);
    expect(await offered('--profile', '')).toEqual(['staging', '']);
    expect(await offered('projects', '--profile', '')).toEqual(['staging', '']);
    expect(await offered('--project', 'proj')).toContain(cli.project.id);
    expect(await offered('--pro')).toEqual(['--profile', '--project', '']);
    expect(await offered('projects', 'use', 'pro')).toContain(cli.project.id);
    expect(await offered('knowledge', 'sync', 'h')).toBe('files');
    expect(await offered('documents', 'create', '--file', '')).toBe('files');
    expect(await offered('jobs', 'get', '')).toEqual(['']);
  });

  test('events tail says that it waits', async () => {
    const running = cli.start(['events', 'tail'], { env: cli.project.env });
    await expect.poll(() => running.shown().stderr).toContain('Waiting for new events.');
    running.interrupt();
    expect(await running.ended).toMatchObject({ code: 130 });
  });
});

test('options of a command, and what is behind --, stay where they are', async () => {
  const { createProgram } = await import('../../cli/src/program.ts');
  const program = createProgram(silentShell());
  const of = (line: string) => commonLast(program, line.split(' ')).join(' ');
  expect(of('--json projects --utc list --limit 3')).toBe('projects list --limit 3 --json --utc');
  expect(of('--project p conversations append c --text --json')).toBe(
    'conversations append c --text --json --project p',
  );
  expect(of('--json projects get -- --x')).toBe('projects get --json -- --x');
  expect(of('--unknown projects')).toBe('--unknown projects');
});
