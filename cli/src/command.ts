/** Declares commands. Every command has the same common options, and examples. */

import { type Command, Option } from 'commander';
import { commonOptions } from './arguments.ts';
import { usageError } from './errors.ts';
import { idOf, namedBy, resourceOf, wordsOf } from './resources.ts';
import { type CommonOptions, Session } from './session.ts';
import type { Shell } from './shell.ts';

export type OptionSpec = readonly [flags: string, description: string, details?: OptionDetails];
type OptionDetails = {
  default?: string | number | boolean;
  choices?: readonly string[];
  parse?: (text: string) => unknown;
  /** Whether the option may be given several times. */
  repeat?: boolean;
  /** The earlier name of an option that may be given several times. It still works: `--bind`. */
  formerly?: string;
  /** Neither the help nor completions show it. */
  hidden?: boolean;
};

export type CommandSpec<Options> = {
  /** The name and the arguments: `get <id>`. */
  name: string;
  summary: string;
  /** Further text for --help. */
  details?: string;
  options?: readonly OptionSpec[];
  /** Whether the command creates something. It then has the option --idempotency-key. */
  creates?: boolean;
  /** Whether the command works without a key. */
  offline?: boolean;
  /** Whether the command works below a project. */
  project?: boolean;
  /** The kinds of resources that the arguments name: `avatar`. By default, `<id>` names a resource of the parent command. */
  arguments?: readonly string[];
  /** The words behind `platform`. */
  examples: readonly string[];
  run: (session: Session, options: Options & CommonOptions & PostFlags, ...values: string[]) => Promise<void>;
};

export type PostFlags = { idempotencyKey?: string };

/** Adds a command, which uses the shell of its program. */
export type Define = <Options extends object = object>(
  parent: Command,
  spec: CommandSpec<Options>,
) => Command;

export const defineIn =
  (shell: Shell): Define =>
  <Options extends object>(parent: Command, spec: CommandSpec<Options>) => {
    const command = parent.command(spec.name).summary(spec.summary);
    command.description([spec.summary, spec.details].filter(Boolean).join('\n\n'));
    for (const [flags, description, details = {}] of spec.options ?? [])
      addOption(command, flags, description, details);
    if (spec.creates)
      command.option(
        '--idempotency-key <key>',
        'takes effect once, even if you run the command again with this key',
        keyFrom,
      );
    command.optionsGroup('Common options:');
    const { profile, project, ...others } = commonOptions;
    if (!spec.offline || spec.project) command.option(...profile);
    if (spec.project) command.option(...project);
    for (const [flags, text] of Object.values(others)) command.option(flags, text);
    command.helpOption('-h, --help', 'shows this help');
    command.addHelpText(
      'after',
      `\nExamples:\n${spec.examples.map((line) => `  $ platform ${line}`).join('\n')}`,
    );
    return command.action(async () => {
      const options = command.optsWithGlobals<Options & CommonOptions & PostFlags>();
      const session = new Session(shell, options);
      if (options.jq !== undefined) await session.out.select(options.jq);
      if (!spec.offline) await session.open();
      if (spec.project && !spec.offline) await session.findProject();
      if (!spec.offline) await nameOptions(session, options, spec.project ? ['project'] : []);
      const kinds = spec.arguments ?? argumentsOf(command);
      const values: string[] = await Promise.all(
        command.processedArgs
          .flat()
          .filter((value) => value !== undefined)
          .map((value: string, at) => idOf(session, kinds[at], value)),
      );
      await spec.run(session, options, ...values).finally(session.out.end);
    });
  };

/**
 * Replaces the names of resources by their ids.
 * @param finished the options whose values are ids already
 */
async function nameOptions(session: Session, options: object, finished: readonly string[]): Promise<void> {
  const entries = Object.entries(options).filter(
    ([name]) => Object.hasOwn(namedBy, name) && !finished.includes(name),
  );
  for (const [name, value] of entries) {
    const idFor = (text: unknown) => (typeof text === 'string' ? idOf(session, namedBy[name], text) : text);
    const ids: unknown = Array.isArray(value) ? await Promise.all(value.map(idFor)) : await idFor(value);
    Object.assign(options, { [name]: ids });
  }
}

/** @returns the kind of resource of each argument: `<id>` names a resource of the parent command */
const argumentsOf = (command: Command): string[] =>
  command.registeredArguments.map((argument) =>
    argument.name() === 'id' ? (resourceOf(wordsOf(command.parent)) ?? '') : '',
  );

function addOption(command: Command, flags: string, description: string, details: OptionDetails): void {
  const option = optionFrom(flags, description, details);
  command.addOption(option);
  if (details.formerly === undefined) return;
  const earlierOption = new Option(flags.replace(/^--[\w-]+/, details.formerly), description).hideHelp();
  const name = option.attributeName();
  earlierOption.argParser((text: string) => {
    const previous: unknown = command.getOptionValue(name);
    command.setOptionValue(name, [previous ?? [], text].flat());
  });
  command.addOption(earlierOption);
}

function optionFrom(
  flags: string,
  description: string,
  { choices, parse, repeat, hidden, ...details }: OptionDetails,
): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (parse) option.argParser<unknown>(parse);
  if (repeat) option.argParser((text: string, previous: string[] | undefined) => [...(previous ?? []), text]);
  if (details.default !== undefined) option.default(details.default);
  if (hidden) option.hideHelp();
  return option;
}

function keyFrom(text: string): string {
  if (!/^[ -~]{1,255}$/.test(text))
    throw usageError('--idempotency-key must have 1 to 255 printable ASCII characters.');
  return text;
}

/** @returns the parser of an option that is a number */
export const wholeNumber =
  (name: string, least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw usageError(`${name} must be a whole number from ${least} to ${most}.`);
  };

/** Refuses a text that would change the path of a request, such as an empty text or `..`. */
export function checkId(id: string): string {
  if (!/^[\w-]{1,255}$/.test(id)) throw usageError(`This is not an id: ${JSON.stringify(id)}`);
  return id;
}
