/** The costs of the requests and of the stacks, in docs/costs.md: from the templates, and from the table in docs/storage.md. */

import { costTables } from '../../measures/costs.ts';
import { bundle } from '../bundle/bundle.ts';
import { withTables } from '../shared/markdown.ts';
import type { Files } from './files.ts';

export async function generate(): Promise<Files> {
  await bundle();
  return withTables('docs/costs.md', { costs: costTables() });
}
