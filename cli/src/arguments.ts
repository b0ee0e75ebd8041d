/** Common options may stand anywhere: `platform --profile staging projects list`. */

import type { Command } from 'commander';

/** The common options: how they are written, and what they do. */
export const commonOptions = {
  profile: ['--profile <name>', 'the profile to use'],
  project: ['--project <id>', 'the project to use'],
  json: ['--json', 'JSON lines instead of tables'],
  jq: ['--jq <filter>', 'filters the JSON with this jq expression (jq must be installed)'],
  utc: ['--utc', 'exact times in UTC instead of relative times'],
  verbose: ['--verbose', 'shows every request'],
} as const;

const usages: readonly string[] = Object.values(commonOptions).map(([usage]) => usage);
const flags: ReadonlySet<string> = new Set(usages.filter((usage) => !usage.includes(' ')));
const optionsWithValue: ReadonlySet<string> = new Set(
  usages.filter((usage) => usage.includes(' ')).map((usage) => usage.split(' ')[0] ?? ''),
);

/**
 * Common options may stand before the command, or between its words.
 * @returns the words, with these options behind all others
 */
export function commonLast(program: Command, words: readonly string[]): string[] {
  const names: string[] = [];
  const common: string[] = [];
  let command = program;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const subcommand = command.commands.find((one) => one.name() === word);
    const [option = ''] = word.split('=');
    if (subcommand) {
      command = subcommand;
      names.push(word);
    } else if (command.commands.length > 0 && flags.has(word)) common.push(word);
    else if (command.commands.length > 0 && optionsWithValue.has(option)) {
      common.push(word);
      if (option === word && at + 1 < words.length) common.push(words[++at] ?? '');
    } else break;
  }
  const rest = words.slice(at);
  const end = rest.indexOf('--');
  const beforeEnd = end < 0 ? rest : rest.slice(0, end);
  return [...names, ...beforeEnd, ...common, ...(end < 0 ? [] : rest.slice(end))];
}
