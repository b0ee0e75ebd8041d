/** Every operation of the API is a command, with an option for each of its fields. */

import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandAt, hasNoCommand } from '../../cli/src/derived/commands.ts';
import { commandOf, operations } from '../../cli/src/derived/operation.ts';
import { optionFor } from '../../cli/src/derived/options.ts';
import { createProgram } from '../../cli/src/program.ts';
import { endpoints } from '../../functions/index.ts';
import { silentShell } from './silent-shell.ts';

const program = createProgram(silentShell());

/** Fields that no option sets, and why. */
const exempt: Readonly<Record<string, string>> = {
  'conversations.scores.put value': 'It is the argument.',
  'evaluation-runs.create filter': 'Each filter is an option.',
  'exports.create what': 'The command says it: export conversations, documents or audit.',
  'knowledge.documents.content cursor': 'The command reads part after part.',
  'knowledge.search q': 'It is the argument.',
  'conversations.search q': 'It is the argument.',
  'conversations.erase externalUserId': 'It is the argument.',
  'conversations.import-file uploadId': 'The command uploads the file.',
  'conversations.transcript limit': 'The command reads page after page.',
  'conversations.transcript waitSeconds': '`conversations follow` waits.',
  'jobs.get waitSeconds': '`jobs wait` waits.',
  'rollouts.update paused': '`rollout pause` and `rollout resume` set it.',
  'usage.days cursor': 'The command reads page after page.',
  'usage.days limit': 'The command reads page after page.',
};

const hasData = (command: Command) => command.options.some(({ long }) => long === '--data');

describe.each(operations.filter((operation) => !hasNoCommand(operation)))('$id', (operation) => {
  const { id, query, body } = operation;
  const command = commandAt(program, commandOf(operation));

  test('is a command', () => {
    expect(command?.name()).toBe(commandOf(operation).split(' ').at(-1));
  });

  test('has an option for each field', () => {
    const isMissing = (name: string) =>
      !Object.hasOwn(exempt, `${id} ${name}`) && command && !optionFor(command, name);
    const lost = [
      ...query.filter(({ name }) => isMissing(name)),
      // The rest of a body is in --data.
      ...(command && hasData(command) ? [] : body.filter(({ name }) => isMissing(name))),
    ];
    expect(lost.map(({ name }) => name)).toEqual([]);
  });
});

test('every declared endpoint with an envelope is an operation', () => {
  const ids = endpoints.filter(({ raw }) => raw === undefined).map(({ id }) => id);
  expect(operations.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test('each exemption is of a field that exists', () => {
  const fields = operations.flatMap(({ id, query, body }) =>
    [...query, ...body].map(({ name }) => `${id} ${name}`),
  );
  // The request of an export is one of several, so that its fields have no options.
  expect(
    Object.keys(exempt).filter((name) => !fields.includes(name) && !name.startsWith('exports.')),
  ).toEqual([]);
});
