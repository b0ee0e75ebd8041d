/** Parses the options of a script. */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Its message is for the user, without a stack trace. */
export class UsageError extends Error {}

/** @param usage the text for unknown options */
export function readOptions<O extends ParseArgsOptionsConfig>(options: O, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}
