/** Finds the option of a command for a field of the API. */

import type { Command, Option } from 'commander';
import { commandAt } from './commands.ts';
import { commandOf, operations, optionOf } from './operation.ts';

/** Options that are shorter than the name of the field. */
const shortNames: Readonly<Record<string, string>> = {
  avatarId: 'avatar',
  content: 'file',
  deploymentId: 'deployment',
  expiresAt: 'expires-in',
  externalUserId: 'user',
  git: 'sha',
  'git.ref': 'ref',
  messages: 'text',
  persona: 'prompt',
  projectId: 'project',
  resourceId: 'resource',
};

/** Fields that belong together in one option, such as a period. */
const sharedOptions: Readonly<Record<string, readonly string[]>> = {
  deploymentId: ['to'],
  startedFrom: ['from'],
  startedBefore: ['to'],
  waitSeconds: ['timeout', 'wait', 'interval'],
  promote: ['no-promote'],
};

/** @param path the path of a field in a request: `persona.prompt` or `scopes.0` */
export function optionFor(command: Command, path: string): Option | undefined {
  const parts = path.split('.').filter((part) => !/^\d+$/.test(part));
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const candidates = [parts.join('.'), last, first].flatMap((name) => [
    ...(Object.hasOwn(shortNames, name) ? [shortNames[name]] : []),
    ...(Object.hasOwn(sharedOptions, name) ? (sharedOptions[name] ?? []) : []),
    optionOf({ name, kind: 'text' }),
    optionOf({ name, kind: 'list' }),
  ]);
  return candidates
    .map((name) => command.options.find(({ long }) => long === `--${name}`))
    .find((option) => option !== undefined);
}

/** Marks the options without which the API refuses the request. */
export function markRequired(program: Command): void {
  for (const operation of operations) {
    const command = operation.method === 'PATCH' ? undefined : commandAt(program, commandOf(operation));
    for (const { name, required } of operation.body) {
      const option = command && required ? optionFor(command, name) : undefined;
      const isSet = option === undefined || option.defaultValue !== undefined;
      if (!isSet && !/required/.test(option.description)) option.description += ' (required)';
    }
  }
}
