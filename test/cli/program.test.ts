/** The commands as a whole: help, examples, completions, exit codes. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { wantedFor } from '../../cli/src/commands/completion.ts';
import { exitCodes } from '../../cli/src/exit-codes.ts';
import { createProgram } from '../../cli/src/program.ts';
import { root } from '../../scripts/shared/root.ts';
import { silentShell } from './silent-shell.ts';

const program = createProgram(silentShell());

const leaves = (command: Command, names: string[]): { path: string; command: Command }[] =>
  command.commands.length === 0
    ? [{ path: names.join(' '), command }]
    : command.commands.flatMap((below) => leaves(below, [...names, below.name()]));
const commands = leaves(program, []);

test('the summary of webhooks covers the commands of the API, and the tests of receivers', () => {
  const webhooks = program.commands.find((one) => one.name() === 'webhooks');
  expect(webhooks?.commands.map((one) => one.name())).toEqual(expect.arrayContaining(['create', 'listen']));
  expect(webhooks?.summary()).toBe('Webhooks, and tests of receivers on your machine');
});

/** The examples that --help shows. */
function examplesOf(command: Command): string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return [...help.matchAll(/^\s*\$ platform (.*)$/gm)].map(([, line = '']) => line);
}

/** The words of a shell line, until its first pipe or redirection. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, plain]) => double ?? single ?? plain ?? '')
    .slice(
      0,
      line.match(/ [|<>]/)
        ? line.slice(0, line.search(/ [|<>]/)).match(/"[^"]*"|'[^']*'|\S+/g)?.length
        : undefined,
    );

describe.each(commands)('$path', ({ path, command }) => {
  test('shows examples that are valid', () => {
    const examples = examplesOf(command);
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      expect(example.startsWith(path), example).toBe(true);
      const words = wordsOf(example).slice(path.split(' ').length);
      const { operands, unknown } = command.parseOptions(words);
      expect(unknown, example).toEqual([]);
      expect(operands, example).toHaveLength(command.registeredArguments.length);
    }
  });

  test('has a summary, and a description of every option', () => {
    expect(command.summary()).toMatch(/^[A-Z].*[^.]$/);
    for (const { description } of command.options) expect(description).not.toBe('');
    expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(['--json', '--verbose']));
  });
});

test('every command that creates something has --idempotency-key', () => {
  const has = commands.filter(({ command }) =>
    command.options.some(({ long }) => long === '--idempotency-key'),
  );
  expect(has.map(({ path }) => path).sort()).toEqual(
    [
      ...[
        'api',
        'deploy',
        'reindex',
        'rollback',
        'keys create',
        'keys rotate',
        'projects create',
        'projects restore',
        'avatars create',
      ],
      ...[
        'documents create',
        'jobs cancel',
        'deployments promote',
        'knowledge reindex',
        'conversations create',
      ],
      ...['conversations append', 'conversations end', 'conversations erase'],
      ...['export conversations', 'export documents', 'export audit'],
      ...[
        'webhooks create',
        'webhooks recover',
        'webhooks redeliver',
        'webhooks rotate-secret',
        'webhooks test',
      ],
      ...['conversations reindex', 'conversations import-lines', 'documents batch'],
    ].sort(),
  );
});

test('README.md has the exit codes', () => {
  const readme = readFileSync(resolve(root, 'cli/README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, meaning]) => ({
    code: Number(code),
    meaning,
  }));
  expect(rows).toEqual(Object.values(exitCodes));
});

describe('completions', () => {
  const names = (...words: string[]) => wantedFor(program, words).found.map(({ name }) => name);

  test.each([
    [['know'], ['knowledge']],
    [
      ['knowledge', ''],
      ['sync', 'search', 'test', 'reindex'],
    ],
    [['knowledge', 'sync', '--dr'], ['--dry-run']],
    [
      ['projects', 'list', '--status', ''],
      ['active', 'archived'],
    ],
    [['projects', 'list', '--status', 'ar'], ['archived']],
    [['projects', 'get', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('of %j', (words, expected) => {
    expect(names(...words)).toEqual(expected);
  });

  test('a word of one command does not lead into another one', () => {
    expect(names('conversations', 'search', 'sync', '--')).toContain('--tag');
  });
});
