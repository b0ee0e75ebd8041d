/** Runs before each test file. */

import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { useEncoder } from '../../lib/search/semantic/encoder.ts';
import { takeFaults } from '../../samples/logged-faults.ts';
import { closeTables, openTables } from '../../samples/tables.ts';
import { silentEncoder } from './encoders.ts';
import { needsDatabase, readsBundles } from './needs.ts';

// A file that is about meaning puts another one in its place.
useEncoder(silentEncoder);

const { testPath = '' } = expect.getState();

// Some files read the bundles while they are imported.
if (readsBundles(testPath)) await bundled(inject('bundled'));

// The tables take longer than most files that need none.
if (needsDatabase(readFileSync(testPath, 'utf8'))) {
  beforeAll(() => openTables(inject('dynamodbEndpoint')));
  afterAll(closeTables);
}

afterEach(({ task }) => {
  const faults = takeFaults();
  if (task.result?.state !== 'fail') return;
  for (const line of faults) console.error('endpoint' in line ? line.endpoint : line.worker, line.fault);
});

async function bundled(file: string): Promise<void> {
  while (!existsSync(file)) await sleep(50);
  const error = readFileSync(file, 'utf8');
  if (error) throw new Error(error);
}
