/** What each endpoint costs, in docs/storage.md: measured with its sample request. */

import { measureUnits, unitTable } from '../../bench/units.ts';
import { withDatabase } from './database.ts';
import { withTables } from './marks.ts';
import type { Files } from './parts.ts';

export const generate = (): Promise<Files> =>
  withDatabase(async () => withTables('docs/storage.md', { units: unitTable(await measureUnits()) }));
