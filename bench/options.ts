/** The options of `npm run bench`. */

import { parseArgs } from 'node:util';

export type Options =
  | { kind: 'run'; names: string[]; write: boolean }
  | { kind: 'help' }
  | { kind: 'error'; message: string };

/** @param all the names of the benchmarks, in their order */
export function optionsOf(args: readonly string[], all: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, write: { type: 'boolean' } },
    });
    if (values.help) return { kind: 'help' };
    const unknown = positionals.filter((name) => name !== 'all' && !all.includes(name));
    if (unknown.length > 0) {
      return {
        kind: 'error',
        message: `There is no benchmark ${unknown.join(', ')}. There are ${all.join(', ')}.`,
      };
    }
    const isAll = positionals.length === 0 || positionals.includes('all');
    const names = all.filter((name) => isAll || positionals.includes(name));
    return { kind: 'run', names, write: values.write ?? false };
  } catch (error) {
    return { kind: 'error', message: (error as Error).message };
  }
}

export const help = (all: readonly string[]): string => `npm run bench -- [all | benchmark …] [--write]

Runs the benchmarks one after the other and prints what they measured. Exits with 1 if a figure is over its budget
(bench/budgets.ts), or if other work on the machine falsifies the figures (bench/machine.ts).

  --write    puts the figures into docs/performance.md or their own document, unless the machine is too busy
  --help     prints this

Benchmarks:
${all.map((name) => `  ${name}`).join('\n')}
`;
