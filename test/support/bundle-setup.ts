/** The functions' bundles, built once for the whole run: the stack takes them as its assets. */

import { bundle } from '../../scripts/bundle/bundle.ts';

/** The test files that read dist/, by part of their paths. */
const readers = ['test/aws', 'test/bench', 'test/infra', 'test/scripts', 'kill'];

/** Building takes longer than most test files: a run of chosen files builds only if one of them reads the bundles. */
export default async function setup(): Promise<void> {
  const chosen = process.argv.filter((argument) => /^(\.\/)?test\/.*\.test\.ts$/.test(argument));
  if (chosen.length === 0 || chosen.some((file) => readers.some((part) => file.includes(part))))
    await bundle();
}
