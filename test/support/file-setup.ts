/** Runs before each test file. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { needsDatabase } from './needs-database.ts';
import { closeTables, openTables } from './tables.ts';

const { testPath } = expect.getState();

// The tables take longer than most files that need none.
if (testPath && needsDatabase(readFileSync(testPath, 'utf8'))) {
  beforeAll(() => openTables(inject('dynamodbEndpoint')));
  afterAll(closeTables);
}
