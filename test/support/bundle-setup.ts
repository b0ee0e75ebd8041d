/** The functions' bundles, made once for the whole run: the stack takes them as its assets. */

import { bundle } from '../../scripts/bundle.ts';

export default async function setup(): Promise<void> {
  await bundle();
}
