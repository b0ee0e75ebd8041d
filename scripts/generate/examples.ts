/** The examples of the OpenAPI document: each sample request, sent to the real handlers, with its response. */

import { testRuntime } from '../../test/support/api.ts';
import { record } from '../../test/support/examples.ts';
import { documented } from '../openapi/documented.ts';
import { openDatabase } from './database.ts';
import type { Files } from './parts.ts';

export async function generate(): Promise<Files> {
  await openDatabase();
  const runtime = testRuntime();
  const examples: Record<string, unknown> = {};
  const recorded = documented.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const endpoint of recorded) examples[endpoint.id] = await record(endpoint, runtime);
  return { 'scripts/openapi/examples.json': `${JSON.stringify(examples, null, 2)}\n` };
}
