/** Where an export can go. */

import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { CliError } from '../errors.ts';

/**
 * Finds out at the start what would otherwise fail at the end: the complete file takes the place of this one. A device must not
 * be replaced: /dev/null is one.
 * @throws CliError if it is not a file, or if its folder does not exist
 */
export async function checkTarget(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() || /[\\/]$/.test(file))
    throw new CliError('failed', `${file} is a folder.`, 'Name a file in it.');
  if (found && !found.isFile())
    throw new CliError('failed', `${file} is not a file.`, 'Leave out -o to write to stdout.');
  const folder = await stat(dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new CliError(
      'failed',
      `${basename(file)} cannot be written: there is no folder ${dirname(file)}.`,
      'Create the folder, or choose another file.',
    );
}
