/** Runs before each test file. */

import { afterAll, beforeAll, inject } from 'vitest';
import { closeTables, openTables } from './tables.ts';

beforeAll(() => openTables(inject('dynamodbEndpoint')));
afterAll(closeTables);
