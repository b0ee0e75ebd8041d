/**
 * Makes the files that follow from others and are not in git. `node --import ./scripts/derive.ts` makes them before a program starts.
 * As the last step of `npm ci`, it also removes the libraries that nobody runs on this machine.
 */

import { ensureDerived } from './openapi/derived.ts';

if (import.meta.main) {
  const { librariesFolder, removeOtherLibraries } = await import('./bundle/encoder-files.ts');
  removeOtherLibraries(librariesFolder);
}
await ensureDerived();
