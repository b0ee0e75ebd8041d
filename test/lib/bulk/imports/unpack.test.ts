/** A compressed file is unpacked once, into parts that nothing leaves behind. */

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fileLimits } from '../../../../lib/bulk/imports/lines.ts';
import { type Json, jobNotice, openApi, storedOf, type TestApi } from '../../../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../../../samples/lambda-queue.ts';
import exportRemover from '../../../../workers/export-remover.ts';
import projectPurger from '../../../../workers/project-purger.ts';
import { requestImport, runImportInTurns, runImportJob, textOf } from '../../../support/imports.ts';
import { expire, purgeBegun } from '../../../support/purges.ts';
import { deliver, openMortal } from '../../../support/workers.ts';

const at = '2026-03-01T09:31:00.000Z';
const lines = Array.from({ length: 12 }, (_, n) => ({
  externalId: `c-${n}`,
  avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  startedAt: at,
  messages: Array.from({ length: 6 }, (_, m) => ({ role: 'user', text: `✓ ${n} ${m}`, at })),
}));
const text = textOf(lines);
const file = gzipSync(text);
const limits = { ...fileLimits, rangeBytes: 100, unpackedBytes: 1000 };
const parts = Math.ceil(Buffer.byteLength(text) / limits.unpackedBytes);

const jobOf = async (api: TestApi, project: string, job: string): Promise<Json> =>
  (await api.call('GET', `/projects/${project}/jobs/${job}`)).data;

const partItems = async (api: TestApi) =>
  (await storedOf(api, 'jobs')).filter(({ tenant }) => `${tenant}`.endsWith('#parts'));

async function expectNothingLeft(api: TestApi): Promise<void> {
  expect([...api.files.keys()]).toEqual([]);
  expect(await partItems(api)).toEqual([]);
}

/** An import of which a turn has ended after two parts. */
async function begun(adjust?: Parameters<typeof openApi>[0]) {
  const api = await openApi(adjust);
  const project = await api.createProject();
  const job = await requestImport(api, project, file);
  const runs = { ...api, runtime: { ...api.runtime, turnMs: 0 } };
  const turn = () => endsTurn(runImportJob(runs, project, job, limits));
  for (let turns = 0; turns < 2; turns += 1) expect(await turn()).toBe(true);
  expect(await partItems(api)).toHaveLength(2);
  return { api, project, job, turn };
}

test('in turns, each part is written once, and the file is imported as a plain one', async () => {
  const opened = await openApi();
  const project = await opened.createProject();
  const job = await requestImport(opened, project, file);
  const { files } = opened.runtime;
  const written: string[] = [];
  const put: typeof files.put = async (key, ...content) => {
    written.push(key);
    await files.put(key, ...content);
  };
  const api = { ...opened, runtime: { ...opened.runtime, turnMs: 0, files: { ...files, put } } };
  expect(await runImportInTurns(api, project, job, limits)).toBeGreaterThan(parts + lines.length);
  expect(written).toHaveLength(parts);
  expect(new Set(written).size).toBe(parts);
  expect(await jobOf(opened, project, job)).toMatchObject({
    status: 'succeeded',
    progress: { total: 12, done: 12, failed: 0 },
    result: { created: 12, unchanged: 0, failed: 0 },
  });
  await expectNothingLeft(opened);
});

test('a file without text has no lines', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const job = await requestImport(api, project, gzipSync(''));
  await runImportJob(api, project, job);
  expect(await jobOf(api, project, job)).toMatchObject({ status: 'succeeded', progress: { total: 0 } });
});

test('killed before or after some of its writes, an import of a compressed file is complete, and leaves nothing', {
  tags: ['long'],
}, async () => {
  const { api, life } = await openMortal({ turnMs: 0 });
  const run = async (dies: number) => {
    const project = await api.createProject();
    const job = await requestImport(api, project, file);
    Object.assign(life, { callsLeft: dies, afterwards: dies % 2 === 0, calls: 0 });
    await runImportInTurns(api, project, job, limits).catch(() => {});
    const { calls } = life;
    life.callsLeft = Number.POSITIVE_INFINITY;
    await runImportInTurns(api, project, job, limits);
    expect(await jobOf(api, project, job), `killed at call ${dies}`).toMatchObject({
      result: { created: 12, unchanged: 0, failed: 0 },
    });
    await expectNothingLeft(api);
    return calls;
  };
  const calls = await run(Number.POSITIVE_INFINITY);
  for (let dies = 3; dies < calls; dies += Math.ceil(calls / 20)) await run(dies);
});

test('a file that is uploaded again while it is unpacked is refused', async () => {
  const { api, project, job, turn } = await begun();
  const [key = ''] = [...api.files.keys()].filter((one) => !one.includes('/job_'));
  api.files.set(key, gzipSync(textOf(lines.toReversed())));
  // The job fails in the next turn, and its parts are removed in turns.
  for (let left = 2; left > 0; left -= 1) expect(await turn()).toBe(true);
  expect(await turn()).toBe(false);
  expect(await jobOf(api, project, job)).toMatchObject({ error: { code: 'file_changed' } });
  await expectNothingLeft(api);
});

test('a cancelled import leaves nothing, although another run is about to write a part', async () => {
  let late: (() => Promise<void>) | undefined;
  const { api, project, job, turn } = await begun(({ files }) => ({
    fence: { writeMs: 50, waitMs: 100 },
    files: {
      ...files,
      async put(...part) {
        const act = late;
        late = undefined;
        await act?.();
        await files.put(...part);
      },
    },
  }));
  late = async () => {
    await api.call('POST', `/projects/${project}/jobs/${job}/cancel`);
    await runImportJob(api, project, job, limits);
    await expectNothingLeft(api);
  };
  await turn().catch(() => {});
  expect(late).toBeUndefined();
  expect(await jobOf(api, project, job)).toMatchObject({ status: 'cancelled' });
  await expectNothingLeft(api);
});

test('an upload that expires, and a project that is purged, leave nothing of an import that never ends', async () => {
  const { api, project } = await begun();
  const [upload = ''] = [...api.files.keys()].filter((key) => !key.includes('/job_'));
  const notice = jobNotice(`${api.organisationId}#live`, project, upload.split('/').at(-1) ?? '');
  await deliverNotices(api.runtime, exportRemover, [{ ...notice, kind: 'DUE' }]);
  await expectNothingLeft(api);
  const purged = await begun();
  await purged.api.call('DELETE', `/projects/${purged.project}`);
  await deliver(purged.api, projectPurger, [await expire(purged.api, purged.project)]);
  await deliver(purged.api, projectPurger, [await purgeBegun(purged.api, purged.project)]);
  await expectNothingLeft(purged.api);
});
