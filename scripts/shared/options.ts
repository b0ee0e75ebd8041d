/** Parses the options of a script. */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Its message is for the user, without a stack trace. */
export class UsageError extends Error {}

/** @param usage the text for unknown options */
export function readOptions<O extends ParseArgsOptionsConfig>(options: O, usage: string) {
  return orUsage(() => parseArgs({ options }).values, usage);
}

/**
 * @param usage the text for unknown options
 * @returns the options, and the other arguments
 */
export const readCommand = <O extends ParseArgsOptionsConfig>(options: O, usage: string) =>
  orUsage(() => parseArgs({ options, allowPositionals: true }), usage);

/**
 * @param usage the text for unknown options
 * @returns the arguments of a script that has no options
 */
export const readWords = (usage: string): string[] =>
  orUsage(() => parseArgs({ allowPositionals: true }).positionals, usage);

function orUsage<Parsed>(parse: () => Parsed, usage: string): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}
