/** Builds the functions' bundles before the first test. */

import { bundle } from '../../scripts/bundle/bundle.ts';
import { localMachine } from '../../scripts/shared/machines.ts';

export default async (): Promise<void> => {
  await bundle(localMachine);
};
