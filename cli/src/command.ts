/** How commands are declared: every one has the same common options, and examples. */

import { type Command, Option } from 'commander';
import { usageError } from './errors.ts';
import { type CommonOptions, Session } from './session.ts';
import type { Shell } from './shell.ts';

type OptionSpec = readonly [flags: string, description: string, details?: OptionDetails];
type OptionDetails = {
  default?: string | number | boolean;
  choices?: readonly string[];
  parse?: (text: string) => unknown;
  /** May be given several times. */
  repeat?: boolean;
};

export type CommandSpec<Options> = {
  /** Its name and arguments: `get <id>`. */
  name: string;
  summary: string;
  /** More for --help. */
  details?: string;
  options?: readonly OptionSpec[];
  /** Whether it creates something: adds --idempotency-key. */
  creates?: boolean;
  /** Whether it works without a key. */
  offline?: boolean;
  /** Whether it works below a project. */
  project?: boolean;
  /** Without `platform`. */
  examples: readonly string[];
  run: (session: Session, options: Options & CommonOptions & PostFlags, ...values: string[]) => Promise<void>;
};

export type PostFlags = { idempotencyKey?: string };

/** Adds a command. The shell is that of its program. */
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
      command.addOption(optionFrom(flags, description, details));
    if (spec.creates)
      command.option(
        '--idempotency-key <key>',
        'takes effect once, even if you run the command again with this key',
        keyFrom,
      );
    command.optionsGroup('Common options:');
    if (!spec.offline || spec.project) command.option('--profile <name>', 'the profile to use');
    if (spec.project) command.option('--project <id>', 'the project to use');
    command.option('--json', 'JSON lines instead of tables').option('--verbose', 'shows every request');
    command.helpOption('-h, --help', 'shows this help');
    command.addHelpText(
      'after',
      `\nExamples:\n${spec.examples.map((line) => `  $ platform ${line}`).join('\n')}`,
    );
    return command.action(async () => {
      const options = command.optsWithGlobals<Options & CommonOptions & PostFlags>();
      const session = new Session(shell, options);
      if (!spec.offline) await session.open();
      await spec.run(session, options, ...command.processedArgs.flat());
    });
  };

function optionFrom(
  flags: string,
  description: string,
  { choices, parse, repeat, ...details }: OptionDetails,
): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (parse) option.argParser<unknown>(parse);
  if (repeat) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
  if (details.default !== undefined) option.default(details.default);
  return option;
}

function keyFrom(text: string): string {
  if (!/^[ -~]{1,255}$/.test(text))
    throw usageError('--idempotency-key must have 1 to 255 printable ASCII characters.');
  return text;
}

/** For options that are numbers. */
export const wholeNumber =
  (name: string, least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw usageError(`${name} must be a whole number from ${least} to ${most}.`);
  };

/** @throws CliError if it could not be one: an empty one would name the list, and dots the folder above */
export function checkId(id: string): string {
  if (!/^[\w-]{1,255}$/.test(id)) throw usageError(`This is not an id: ${JSON.stringify(id)}`);
  return id;
}
