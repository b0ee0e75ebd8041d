/** The command line of a script: its options, their values, and its end after a mistake. */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The message is for the user, without a stack trace. */
export class UsageError extends Error {}

/**
 * Runs a command. A mistake of the user ends it with one sentence.
 * @param explain returns the sentence for an error that is no UsageError; undefined if there is none
 */
export async function runCommand(
  main: () => unknown,
  explain: (error: unknown) => unknown = () => undefined,
): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : ((await explain(error)) ?? error));
    process.exit(1);
  }
}

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

/** The form of RFC 3339, section 5.6, also without seconds. `Date.parse` alone would take `3.5` for a day of 2001. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** @returns the time in an option, in epoch milliseconds */
export function readTime(option: string, text: string, usage: string): number {
  const ms = time.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new UsageError(`${option} is not a time such as 2026-03-01T09:30Z: ${text}\n${usage}`);
  return ms;
}
