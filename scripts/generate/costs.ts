/** The costs of each endpoint, in docs/storage.md: measured with its sample request. */

import { measureUnits, unitTable } from '../../bench/units.ts';
import { openDatabase } from './database.ts';
import { withTables } from './marks.ts';
import type { Files } from './parts.ts';

export async function generate(): Promise<Files> {
  await openDatabase();
  return withTables('docs/storage.md', { units: unitTable(await measureUnits()) });
}
