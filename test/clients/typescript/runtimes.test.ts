/** The client's tests, with the installed package, in every runtime that it supports. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../scripts/shared/chromium.ts';
import { installClient } from '../../support/client/installed.ts';
import { bun, deno, node20, workerd } from '../../support/client/runtimes.ts';
import { scenarios } from '../../support/client/scenarios/index.ts';
import { runInDeno, runInPage, runInProcess, runInWorker } from '../../support/client/suite.ts';

let installed: ReturnType<typeof installClient>;
beforeAll(() => {
  installed = installClient();
});
afterAll(() => installed?.remove());

describe.each([
  { name: "the project's Node", find: () => process.execPath, run: runInProcess, tags: ['long'] },
  { name: 'Node 20', find: node20, run: runInProcess, tags: ['nightly'] },
  { name: 'Bun', find: bun, run: runInProcess, tags: ['nightly'] },
  { name: 'Deno', find: deno, run: runInDeno, tags: ['nightly'] },
  { name: 'a worker of workerd', find: workerd, run: runInWorker, tags: ['nightly'] },
  { name: 'a page in Chromium', find: () => chromiumPath, run: runInPage, tags: ['nightly'] },
])('$name', ({ name, find, run, tags }) => {
  let results: Map<string, string | null> | undefined;
  beforeAll(async () => {
    const command = find();
    results = command === undefined ? undefined : await run(command, installed.user);
  });

  test.for(Object.keys(scenarios))('%s', { tags }, (title, context) => {
    if (!results) return context.skip(`${name} is missing, and cannot be installed`);
    expect(results.get(title) ?? null).toBeNull();
    expect(results.has(title), results.get('') ?? 'it did not run').toBe(true);
  });
});
