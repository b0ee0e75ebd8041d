/** Completions for bash, zsh and fish: each shell asks the command line itself, so that they never get stale. */

import { type Command, Option } from 'commander';
import type { Define } from '../command.ts';
import { usageError } from '../errors.ts';

/** In a folder of $fpath, the script for zsh is the function `_platform` at the first Tab, and defines the one for the next. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_platform() {
  local IFS=$'\\n'
  COMPREPLY=($(platform __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default
}
complete -F _platform platform`,
  zsh: `#compdef platform
_platform() {
  local -a found
  local name text
  while IFS=$'\\t' read -r name text; do found+=("\${name//:/\\\\:}:$text"); done < <(platform __complete "\${(@)words[2,$CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe platform found; else _files; fi
}
if [[ $funcstack[1] == _platform ]]; then _platform "$@"; else compdef _platform platform; fi`,
  fish: `complete -c platform -f -a '(platform __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c platform -n 'test (count (platform __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)) -eq 0' -F`,
};

export type Completion = { name: string; text: string };

/**
 * @param words what is typed behind `platform`; the last one is not complete
 * @returns what may stand in place of the last word; nothing where it is an id or a file
 */
export function completionsFor(program: Command, words: readonly string[]): Completion[] {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of before) command = command.commands.find((one) => one.name() === word) ?? command;
  const previous = command.options.find(
    (option) => option.long === before.at(-1) || option.short === before.at(-1),
  );
  const found =
    previous && (previous.required || previous.optional)
      ? (previous.argChoices ?? []).map((name) => ({ name, text: previous.description }))
      : last.startsWith('-')
        ? optionsOf(command)
        : command.commands
            .filter((one) => !isHidden(one))
            .map((one) => ({ name: one.name(), text: one.summary() || one.description() }));
  return [...found, ...(command.name() === 'completion' ? shellNames : [])].filter(({ name }) =>
    name.startsWith(last),
  );
}

const shellNames = Object.keys(scripts).map((name) => ({ name, text: '' }));
const isHidden = (command: Command) => command.name().startsWith('__');

const optionsOf = (command: Command): Completion[] =>
  [...command.options, new Option('--help', 'shows help')]
    .filter((option) => !option.hidden)
    .map(({ long, description }) => ({ name: long ?? '', text: description }));

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

/** Answers a shell before anything else is parsed: the words are not complete yet. */
export const completionText = (program: Command, words: readonly string[]): string =>
  completionsFor(program, words)
    .map(({ name, text }) => `${name}\t${text}\n`)
    .join('');
