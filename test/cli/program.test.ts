/** The commands as a whole: help, examples, completions, exit codes. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { candidatesFor } from '../../cli/src/commands/completion.ts';
import { commandOf, operations } from '../../cli/src/derived/operation.ts';
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
      const { length } = command.registeredArguments;
      // The last argument may be several.
      const isVariadic = command.registeredArguments.at(-1)?.variadic === true;
      expect(isVariadic ? operands.slice(0, length) : operands, example).toHaveLength(length);
    }
  });

  test('has a summary, and a description of every option', () => {
    expect(command.summary()).toMatch(/^[A-Z].*[^.]$/);
    for (const { description } of command.options) expect(description).not.toBe('');
    expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(['--json', '--verbose']));
  });
});

/** It derives its key from the file, so the command can be run again. */
const ownKey = 'conversations import';

/** They create an export, and download it. */
const exportCommands = ['export conversations', 'export documents', 'export audit'];

/** Commands that send a POST, and are not the command of this POST. */
const furtherPosts = ['api', 'deploy', 'reindex', 'rollback', ...exportCommands];

test('every command that sends a POST has --idempotency-key', () => {
  const paths = commands.map(({ path }) => path);
  const ofPosts = operations.filter(({ method }) => method === 'POST').map(commandOf);
  const has = commands.filter(({ command }) =>
    command.options.some(({ long }) => long === '--idempotency-key'),
  );
  const wanted = [...ofPosts.filter((path) => paths.includes(path) && path !== ownKey), ...furtherPosts];
  expect(has.map(({ path }) => path).sort()).toEqual([...new Set(wanted)].sort());
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
  const names = (...words: string[]) => candidatesFor(program, words).completions.map(({ name }) => name);

  test.each([
    [['know'], ['knowledge']],
    [
      ['knowledge', ''],
      ['sync', 'add', 'ignore', 'sources', 'search', 'test', 'reindex'],
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
