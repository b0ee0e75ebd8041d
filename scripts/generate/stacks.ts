/** The sizes of the stacks and the limits of AWS, in docs/capacity.md. */

import { limitTable, stackTable } from '../../measures/limits.ts';
import { bundle } from '../bundle/bundle.ts';
import { withTables } from '../shared/markdown.ts';
import type { Files } from './files.ts';

export async function generate(): Promise<Files> {
  await bundle();
  return withTables('docs/capacity.md', { limits: limitTable(), stacks: stackTable() });
}
