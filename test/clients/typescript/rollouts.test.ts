/** The client assigns units as the service does, and knows them without the service. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Platform } from '../../../clients/typescript/src/index.ts';
import { unitConfig } from '../../../clients/typescript/src/runtime/configuration.ts';
import { openFolder } from '../../../clients/typescript/src/runtime/folder.ts';
import { assign } from '../../../clients/typescript/src/runtime/rollout.ts';
import vectors from '../../support/rollout-assignments.json' with { type: 'json' };

test.for(vectors)(
  '$unit at $percent percent',
  async ({ rolloutId, span, percent, unit, variant, assignment }) => {
    expect(await assign({ id: rolloutId, span, percent }, unit)).toEqual({ variant, assignment });
  },
);

/** A process that finds these files, and no service. */
async function openAlone(contents: Record<string, object>) {
  const folder = mkdtempSync(join(tmpdir(), 'rollouts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = await openFolder(folder);
  const platform = new Platform({
    apiKey: 'sk_live_a',
    baseUrl: 'http://localhost:1/api/v1',
    maxRetries: 0,
    fetch: () => Promise.reject(new TypeError('cut')),
  });
  const project = 'proj_1';
  const start = `config-${files.hash(platform.baseUrl, project).slice(0, 16)}-`;
  for (const [what, content] of Object.entries(contents))
    await files.write(`${start}${files.hash(what).slice(0, 16)}.json`, JSON.stringify(content));
  const source = { platform, project, files, patienceMs: 200, warn: () => {} };
  return (unit: string) => unitConfig(source, 'live', unit);
}

const config = { environment: 'live', deploymentId: 'dep_1', configHash: 'a' };

test('the folder of an earlier version of the client is read', async () => {
  const configOf = await openAlone({
    'environment live': { deploymentId: 'dep_1' },
    'deployment dep_1': { etag: '"a"', config },
  });
  expect(await configOf('user-1')).toEqual({ config: { ...config, rollout: null } });
});

test('a candidate that is not known is no other deployment; the current one needs no candidate', async () => {
  const [candidate, current] = [vectors[0], vectors.find(({ variant }) => variant === 'current')];
  const rollout = {
    id: candidate?.rolloutId,
    span: 1,
    percent: 50,
    candidate: { deploymentId: 'dep_2', configHash: 'b' },
  };
  const configOf = await openAlone({
    'environment live': { deploymentId: 'dep_1', etag: '"a.50"', rollout },
    'deployment dep_1': { etag: '"a"', config: { ...config, rollout: null } },
  });
  await expect(configOf(candidate?.unit ?? '')).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(await configOf(current?.unit ?? '')).toMatchObject({ config: { deploymentId: 'dep_1' } });
});
