/** The examples of the OpenAPI document: each sample request, sent to the real handlers, with its response. */

import { endpoints } from '../../functions/index.ts';
import { record, recordingRuntime } from '../../test/support/examples.ts';
import { withDatabase } from './database.ts';
import type { Files } from './parts.ts';

export const generate = (): Promise<Files> =>
  withDatabase(async () => {
    const runtime = await recordingRuntime();
    const examples: Record<string, unknown> = {};
    const recorded = endpoints.filter(({ raw }) => raw !== 'text').toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const endpoint of recorded) examples[endpoint.id] = await record(endpoint, runtime);
    return { 'scripts/openapi/examples.json': `${JSON.stringify(examples, null, 2)}\n` };
  });
