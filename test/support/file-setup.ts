/** Runs before each test file. */

import { afterAll, beforeAll } from 'vitest';
import { closeTables, openTables } from './tables.ts';

beforeAll(openTables);
afterAll(closeTables);
