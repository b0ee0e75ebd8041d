/** The costs of the requests and of the stacks, in docs/costs.md: from the templates, and from the table in docs/storage.md. */

import { costTables } from '../../bench/costs.ts';
import { bundle } from '../bundle/bundle.ts';
import type { Files } from './files.ts';
import { withTables } from './marks.ts';

export async function generate(): Promise<Files> {
  await bundle();
  return withTables('docs/costs.md', { costs: costTables() });
}
