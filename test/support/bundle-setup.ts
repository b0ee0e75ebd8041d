/** Builds the functions' bundles before the first test. */

import { bundle } from '../../scripts/bundle/bundle.ts';
import { localMachine } from '../../scripts/bundle/encoder-files.ts';

export default async (): Promise<void> => {
  await bundle(localMachine);
};
