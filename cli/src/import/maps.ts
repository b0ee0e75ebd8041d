/** The maps: those that come with the command line, and those of users. */

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { usageError } from '../errors.ts';
import { readTextFile } from '../input.ts';

/** The bundle has the maps beside itself. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../maps/' : './maps/', import.meta.url);

/** @returns `elevenlabs`, `retell` and so on */
export const shippedMaps = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jq'))
    .map((name) => name.slice(0, -'.jq'.length))
    .sort();

/**
 * @param map the name of a map that comes with the command line, or a file
 * @returns the jq program
 */
export async function readMap(map: string): Promise<string> {
  const isName = /^[\w-]+$/.test(map);
  if (isName && shippedMaps().includes(map)) return readTextFile(fileURLToPath(new URL(`${map}.jq`, folder)));
  if (isName && !existsSync(map))
    throw usageError(
      `There is no map and no file with the name ${map}.`,
      `The maps that come with the command line: ${shippedMaps().join(', ')}. Any other map is a file of your own.`,
    );
  return readTextFile(map);
}
