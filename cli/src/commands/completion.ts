/** Completions for bash, zsh and fish: each shell asks the command line itself, so that they never get stale. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Deployment } from '../../../clients/typescript/src/index.ts';
import { commonOptions } from '../arguments.ts';
import type { Define } from '../command.ts';
import { profilesFile, readProfiles } from '../config/profiles.ts';
import { defaultEnvironment, minCommitDigits, targetsIn } from '../deploy/target.ts';
import { commandAt } from '../derived/commands.ts';
import { commandOf, operations } from '../derived/operation.ts';
import { optionFor } from '../derived/options.ts';
import { usageError } from '../errors.ts';
import { safeLine } from '../output/text.ts';
import { namedBy, resourceOf, resources, wordsOf } from '../resources.ts';
import { Session } from '../session.ts';
import type { Shell } from '../shell.ts';

/**
 * The script of each shell. In a folder of $fpath, zsh runs the script as the function `_platform` at the first Tab. The script
 * then defines the function for the next Tab.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `_platform() {
  local IFS=$'\\n'
  local matches
  if matches=$(platform __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  then COMPREPLY=($(cut -f1 <<<"$matches"))
  else compopt -o default
  fi
}
complete -F _platform platform`,
  zsh: `#compdef platform
_platform() {
  local -a matches
  local name text all
  if ! all=$(platform __complete "\${(@)words[2,$CURRENT]}" 2>/dev/null); then _files; return; fi
  while IFS=$'\\t' read -r name text; do matches+=("\${name//:/\\\\:}:$text"); done <<<"$all"
  _describe platform matches
}
if [[ $funcstack[1] == _platform ]]; then _platform "$@"; else compdef _platform platform; fi`,
  fish: `complete -c platform -f -a '(platform __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c platform -n 'not platform __complete (commandline -opc)[2..-1] (commandline -ct) >/dev/null 2>&1' -F`,
};

export type Completion = { name: string; text: string };

/** The candidates for the last word. */
type Candidates = {
  completions: Completion[];
  /** The kind of resource whose ids and names fit. */
  resource?: string | undefined;
  /** Candidates that are looked up: files and profiles of this machine, or environments and deployments of the project. */
  values?: 'files' | 'profiles' | 'environments' | 'targets';
};

/** Whether the name of an option or argument means a file. */
const isFile = (name: string) => /^(?:file|path|folder|json|file\|url)$/.test(name);

/** @param words what is typed behind `platform`; the last one is not complete */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of before) command = command.commands.find((one) => one.name() === word) ?? command;
  const options = optionsIn(command);
  const previous = before.at(-1) ?? '';
  const option = options.find(({ long, short }) => long === previous || short === previous);
  const matching = (all: readonly Completion[]) => all.filter(({ name }) => name.startsWith(last));
  if (option && (option.required || option.optional)) {
    const values = option.argChoices ?? choicesOf(command, option);
    const completions = matching(values.map((name) => ({ name, text: '' })));
    const name = option.attributeName();
    const [, placeholder = ''] = /[<[]([\w-]+)/.exec(option.flags) ?? [];
    if (name === 'profile') return { completions, values: 'profiles' };
    if (name === 'environment' || placeholder === 'environment')
      return { completions, values: 'environments' };
    if (placeholder === 'deployment') return { completions, values: 'targets' };
    return {
      completions,
      resource: namedBy[name],
      ...(isFile(placeholder) && { values: 'files' as const }),
    };
  }
  if (last.startsWith('-')) return { completions: matching(options.map(completionOf)) };
  if (command.commands.length > 0) {
    const subcommands = command.commands.filter((one) => !isHidden(one));
    return {
      completions: matching(
        subcommands.map((one) => ({ name: one.name(), text: one.summary() || one.description() })),
      ),
    };
  }
  if (command.name() === 'completion') return { completions: matching(shellNames) };
  const [argument] = command.registeredArguments.slice(operandsIn(command, before));
  if (!argument) return { completions: [] };
  const kind = argument.name() === 'id' ? wordsOf(command.parent) : `${argument.name().replace(/-id$/, '')}s`;
  const isEnvironment = argument.name() === 'name' && command.parent?.name() === 'environments';
  if (isEnvironment || argument.name() === 'environment') return { completions: [], values: 'environments' };
  return {
    completions: [],
    resource: resourceOf(kind),
    ...(isFile(argument.name()) && { values: 'files' as const }),
  };
}

/** @returns how many arguments of the command are typed already */
const operandsIn = (command: Command, before: readonly string[]): number => {
  const path: string[] = [];
  for (let level: Command | null = command; level?.parent; level = level.parent) path.unshift(level.name());
  const at = path.reduce((from, name) => before.indexOf(name, from) + 1, 0);
  return command.parseOptions([...before.slice(at)]).operands.length;
};

/** The values of an option that the API knows, such as scopes and types of events. */
function choicesOf(command: Command, option: Option): readonly string[] {
  const fields = operations
    .filter((operation) => commandAt(commandRoot(command), commandOf(operation)) === command)
    .flatMap(({ query, body }) => [...query, ...body]);
  const field = fields.find(({ name, choices }) => choices && optionFor(command, name) === option);
  return field?.choices ?? [];
}

const commandRoot = (command: Command): Command => (command.parent ? commandRoot(command.parent) : command);

const shellNames = Object.keys(scripts).map((name) => ({ name, text: '' }));
const isHidden = (command: Command) => command.name().startsWith('__');

/** Common options may stand before the command, too. */
const optionsIn = ({ options, commands }: Command): Option[] =>
  [
    ...options,
    ...(commands.length > 0
      ? Object.values(commonOptions).map(([flags, text]) => new Option(flags, text))
      : []),
    new Option('--help', 'shows help'),
  ].filter((option) => !option.hidden);

const completionOf = ({ long, description }: Option): Completion => ({ name: long ?? '', text: description });

export function addCompletion(program: Command, define: Define): void {
  define(program, {
    name: 'completion <shell>',
    summary: 'Prints the completions for bash, zsh or fish',
    offline: true,
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh > ~/.zsh/completions/_platform',
      'completion fish > ~/.config/fish/completions/platform.fish',
    ],
    async run({ out }, _options, shell) {
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (script === undefined)
        throw usageError(`There are no completions for ${shell}, only for bash, zsh and fish.`);
      await out.line(script);
    },
  });
}

/** How many resources are offered, and how long a shell waits for them. */
const maxOffered = 100;
const maxWaitMs = 3000;

/**
 * Answers a shell before anything else is parsed: the words are not complete yet.
 * @returns lines with a word and its description; undefined if a file is meant
 */
export async function completionText(
  program: Command,
  shell: Shell,
  words: readonly string[],
): Promise<string | undefined> {
  const candidates = candidatesFor(program, words);
  const last = words.at(-1) ?? '';
  if (candidates.values === 'files' && candidates.completions.length === 0) return undefined;
  const timeout = sleep(maxWaitMs, [] as Completion[], { ref: false });
  const results = await Promise.race([timeout, lookUp(shell, words, candidates).catch(() => [])]);
  const completions = [...candidates.completions, ...results.filter(({ name }) => name.startsWith(last))];
  return completions.map(({ name, text }) => `${name}\t${text}\n`).join('');
}

/** @returns the id of a deployment, and its commit if no other has it */
function targetWords({ id, git, promotedAt, reason }: Deployment, all: readonly Deployment[]): Completion[] {
  const commitOf = (source: Deployment['git']) => source?.sha.slice(0, minCommitDigits);
  const commit = commitOf(git);
  const isOnly = all.filter((one) => commitOf(one.git) === commit).length === 1;
  return [
    { name: id, text: safeLine([commit, promotedAt, reason].filter(Boolean).join('  ')) },
    ...(commit && isOnly ? [{ name: commit, text: id }] : []),
  ];
}

/** @returns the candidates that only the profiles, or the API, know */
async function lookUp(
  shell: Shell,
  words: readonly string[],
  { resource, values }: Candidates,
): Promise<Completion[]> {
  if (values === 'profiles') {
    const { profiles } = await readProfiles(profilesFile(shell));
    return Object.entries(profiles).map(([name, { baseUrl }]) => ({ name, text: safeLine(baseUrl) }));
  }
  const list = resource === undefined ? undefined : resources[resource]?.list;
  if (!list && values !== 'environments' && values !== 'targets') return [];
  const optionValue = (option: string) => {
    const at = words.slice(0, -2).lastIndexOf(option);
    return at < 0 ? undefined : words[at + 1];
  };
  const [profile, project] = [optionValue('--profile'), optionValue('--project')];
  const session = new Session(shell, { ...(profile && { profile }), ...(project && { project }) });
  await session.open();
  if (resource !== 'project') await session.findProject().catch(() => {});
  const completions: Completion[] = [];
  if (values === 'environments') {
    for (const { name } of (await session.project.environments.list({ limit: maxOffered })).items)
      completions.push({ name, text: '' });
    return completions;
  }
  if (values === 'targets') {
    const targets: Deployment[] = [];
    for await (const target of targetsIn(session.project, optionValue('--environment') ?? defaultEnvironment))
      if (targets.push(target) >= maxOffered) break;
    return targets.flatMap((target) => targetWords(target, targets));
  }
  for await (const { id, name } of list?.(session, undefined) ?? []) {
    // A name of one word needs no quotes, in any shell.
    if (/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)) completions.push({ name, text: id });
    completions.push({ name: id, text: safeLine(name) });
    if (completions.length >= maxOffered) break;
  }
  return completions;
}
