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

const written: readonly string[] = Object.values(commonOptions).map(([flags]) => flags);
const flags: ReadonlySet<string> = new Set(written.filter((one) => !one.includes(' ')));
const withValue: ReadonlySet<string> = new Set(
  written.filter((one) => one.includes(' ')).map((one) => one.split(' ')[0] ?? ''),
);

/** @returns the words with the common options that precede the command, or one of its words, behind all others */
export function commonLast(program: Command, words: readonly string[]): string[] {
  const names: string[] = [];
  const common: string[] = [];
  let command = program;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const below = command.commands.find((one) => one.name() === word);
    const [option = ''] = word.split('=');
    if (below) {
      command = below;
      names.push(word);
    } else if (command.commands.length > 0 && flags.has(word)) common.push(word);
    else if (command.commands.length > 0 && withValue.has(option)) {
      common.push(word);
      if (option === word && at + 1 < words.length) common.push(words[++at] ?? '');
    } else break;
  }
  const rest = words.slice(at);
  const end = rest.indexOf('--');
  const own = end < 0 ? rest : rest.slice(0, end);
  return [...names, ...own, ...common, ...(end < 0 ? [] : rest.slice(end))];
}
