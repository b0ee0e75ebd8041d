/** The sizes of the stacks and the limits of AWS, in docs/capacity.md. */

import { limitTable } from '../../bench/limits.ts';
import { stackTable } from '../../bench/synth.ts';
import { bundle } from '../bundle/bundle.ts';
import type { Files } from './files.ts';
import { withTables } from './marks.ts';

export async function generate(): Promise<Files> {
  await bundle();
  return withTables('docs/capacity.md', { limits: limitTable(), stacks: stackTable() });
}
