/** The fast scenarios of sessions, with the client's sources in this process. runtimes.test.ts runs all of them in each runtime. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as client from '../../../clients/typescript/src/index.ts';
import * as runtime from '../../../clients/typescript/src/runtime/index.ts';
import { contextOf } from '../../support/client/run.ts';
import { rolloutScenarios } from '../../support/client/scenarios/rollouts.ts';
import { sessionEndScenarios } from '../../support/client/scenarios/session-ends.ts';
import { sessionFileScenarios } from '../../support/client/scenarios/session-files.ts';
import { sessionScenarios } from '../../support/client/scenarios/sessions.ts';
import { openService } from '../../support/client/suite.ts';

let service: Awaited<ReturnType<typeof openService>>;
let folder: string;
beforeAll(async () => {
  service = await openService({});
  folder = mkdtempSync(join(tmpdir(), 'sessions-'));
});
afterAll(() => {
  service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** They build an index, or wait. */
const slow = [
  'a conversation keeps its deployment, its prompt and its knowledge',
  'turns are stored once and in order, with random faults',
  'turns are buffered while the service is away, up to a limit, and nothing is lost',
  'a large buffer is sent in several requests, in order',
  'a full disk is a clear error, and no turn is lost',
];
const scenarios = Object.entries({
  ...sessionScenarios,
  ...sessionFileScenarios,
  ...sessionEndScenarios,
  ...rolloutScenarios,
}).filter(([title]) => !slow.includes(title));

test.for(scenarios)('%s', { timeout: 120_000 }, async ([title, scenario]) => {
  const context = contextOf(client, runtime, {
    ...service,
    folder: join(folder, title.replaceAll(' ', '-')),
  });
  await context.control('faults');
  await expect(scenario(context)).resolves.toBeUndefined();
});
