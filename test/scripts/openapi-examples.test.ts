/** The examples in the OpenAPI document are what the API responds now. `npm run examples` records them. */

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { documented } from '../../scripts/openapi/document.ts';
import type { Example } from '../../scripts/openapi/examples.ts';
import { root } from '../../scripts/shared/root.ts';
import { record, recordingRuntime } from '../support/examples.ts';

test('each endpoint responds as in its example', async () => {
  const runtime = await recordingRuntime();
  const examples: Record<string, Example> = {};
  for (const endpoint of documented.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    examples[endpoint.id] = await record(endpoint, runtime);
  }
  const text = `${JSON.stringify(examples, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(resolve(root, 'scripts/openapi/examples.json'));
});
