/** The tables that follow from the templates of the stages: their sizes, the limits of AWS, and the costs. */

import { costTables } from '../../bench/costs.ts';
import { limitTable } from '../../bench/limits.ts';
import { stackTable } from '../../bench/synth.ts';
import { bundle } from '../bundle/bundle.ts';
import { withTables } from './marks.ts';
import type { Files } from './parts.ts';

export async function generate(): Promise<Files> {
  await bundle();
  return {
    ...withTables('docs/capacity.md', { limits: limitTable(), stacks: stackTable() }),
    ...withTables('docs/costs.md', { costs: costTables() }),
  };
}
