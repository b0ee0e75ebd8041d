/**
 * The last step of `npm ci`: removes the libraries that nobody runs here. The package of the encoder's runtime has those of five
 * machines, 290 MB, and npm cannot install a part of a package.
 */

import { globSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../shared/root.ts';
import { deployedMachine, localMachine, runtimePackage } from './encoder-files.ts';

/** One folder per system, and in it one per processor. */
export const librariesFolder = resolve(root, 'node_modules', runtimePackage, 'bin/napi-v6');

export function removeOtherLibraries(folder: string): void {
  for (const machine of globSync('*/*', { cwd: folder })) {
    if (machine !== localMachine && machine !== deployedMachine) {
      rmSync(resolve(folder, machine), { recursive: true });
    }
  }
}

if (import.meta.main) removeOtherLibraries(librariesFolder);
