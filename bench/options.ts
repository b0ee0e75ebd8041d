/** The options of `npm run bench`. */

import { parseArgs } from 'node:util';

export type Options =
  | { kind: 'run'; parts: string[]; write: boolean }
  | { kind: 'help' }
  | { kind: 'error'; message: string };

/** @param known the names of the benchmarks, in their order */
export function optionsOf(args: readonly string[], known: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, write: { type: 'boolean' } },
    });
    if (values.help) return { kind: 'help' };
    const unknown = positionals.filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      return {
        kind: 'error',
        message: `There is no benchmark ${unknown.join(', ')}. There are ${known.join(', ')}.`,
      };
    }
    const parts = known.filter((name) => positionals.length === 0 || positionals.includes(name));
    return { kind: 'run', parts, write: values.write ?? false };
  } catch (error) {
    return { kind: 'error', message: (error as Error).message };
  }
}

export const help = (known: readonly string[]): string => `npm run bench -- [benchmark …] [--write]

Runs the benchmarks and prints what they measured. Exits with 1 if a figure is over its budget (bench/budgets.ts).
Runs all of them if none is named, which takes long.

  --write    puts the figures into docs/performance.md
  --help     prints this

Benchmarks:
${known.map((name) => `  ${name}`).join('\n')}
`;
