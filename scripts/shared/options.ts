/** The options of a script. */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Its message is for the person who called the script, and needs no stack. */
export class UsageError extends Error {}

/**
 * @param usage what to show with an option that there is not
 * @throws UsageError
 */
export function readOptions<O extends ParseArgsOptionsConfig>(options: O, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}
