/** Checks the file of an export. */

import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { CliError } from '../errors.ts';

/**
 * Refuses at the start what would fail at the end, when the complete file replaces this file. A device, such as /dev/null, must not
 * be replaced.
 * @throws CliError if the name is not that of a file, or if its folder does not exist
 */
export async function checkTarget(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isDirectory() || /[\\/]$/.test(file))
    throw new CliError('failed', `${file} is a folder.`, 'Name a file in it.');
  if (stats && !stats.isFile())
    throw new CliError('failed', `${file} is not a file.`, 'Leave out -o to write to stdout.');
  const folder = await stat(dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new CliError(
      'failed',
      `${basename(file)} cannot be written: there is no folder ${dirname(file)}.`,
      'Create the folder, or choose another file.',
    );
}
