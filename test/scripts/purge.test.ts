/** `npm run purge`, as an operator runs it. */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import { openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { localSettings } from '../../samples/tables.ts';
import { purge } from '../../scripts/purge.ts';
import projectPurger from '../../workers/project-purger.ts';
import { fill, loseDeleted, namingProject, purgeBegun } from '../support/purges.ts';
import { deliver } from '../support/workers.ts';

const root = resolve(import.meta.dirname, '../..');

function run(args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const env = { ...process.env, ...localSettings() };
    execFile(
      process.execPath,
      [resolve(root, 'scripts/purge.ts'), ...args],
      { env, cwd: root },
      (error, stdout, stderr) => done({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });
}

const argumentsOf = ({ runtime, organisationId }: TestApi, project: string) => [
  ...['--table', runtime.tableNames.projects ?? ''],
  ...['--tenant', `${organisationId}#live`, '--project', project],
];
const statusOf = async ({ call }: TestApi, project: string) =>
  (await call('GET', `/projects/${project}/purge`)).data.status;

test('a restorable project is purged only with --now', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await fill(api, { documents: 1, conversations: 1 });
  const args = argumentsOf(api, project);
  expect(await run([...args, '--now'])).toMatchObject({
    code: 1,
    stderr: `${project} is not deleted. Delete it first (DELETE /projects/${project}).\n`,
  });
  const { purgeAt } = (await api.call('DELETE', `/projects/${project}`)).data;
  expect(await run(args)).toMatchObject({
    code: 1,
    stderr: `${project} can still be restored until ${purgeAt}. Add --now to purge it.\n`,
  });
  expect(await statusOf(api, project)).toBe('scheduled');
  expect(await run([...args, '--now'])).toMatchObject({
    code: 0,
    stdout: `The purge of ${project} starts.\n`,
  });
  expect(await statusOf(api, project)).toBe('running');
  expect((await api.call('POST', `/projects/${project}/restore`)).error.code).toBe('not_found');
  await deliver(api, projectPurger, [await purgeBegun(api)]);
  expect(Object.keys(await namingProject(api, project))).toEqual(['projects']);
  expect((await run(args)).stdout).toMatch(/was purged at /);
  // Restored data is purged in the same way.
  expect((await run([...args, '--now'])).stdout).toBe(`The purge of ${project} continues.\n`);
  expect(await statusOf(api, project)).toBe('running');
});

test('an expired project is purged, even if its item is lost; a failed purge continues', async () => {
  const api = await openApi();
  const wanted = (project: string) => ({ tenant: `${api.organisationId}#live`, project, now: false });
  const late = await api.createProject();
  const orphan = await api.createProject();
  await api.call('DELETE', `/projects/${late}`);
  await api.call('DELETE', `/projects/${orphan}`);
  // A restore has lost it.
  await loseDeleted(api, orphan);
  api.advance(8 * dayMs);
  for (const project of [late, orphan]) {
    expect(await purge(api.runtime, wanted(project))).toBe(`The purge of ${project} starts.`);
    expect(await purge(api.runtime, wanted(project))).toBe(`The purge of ${project} continues.`);
  }
  const runs = (await storedOf(api, 'projects')).filter(({ tenant }) => `${tenant}`.endsWith('#purges'));
  expect(runs.map(({ run: count }) => count)).toEqual([2, 2]);
});

test('mistakes are reported in one sentence', { tags: ['long'] }, async () => {
  const api = await openApi();
  const args = argumentsOf(api, await api.createProject());
  const replaced = (option: string, value: string) => args.with(args.indexOf(option) + 1, value);
  for (const [wrong, sentence] of [
    [[], 'Usage: npm run purge'],
    [args.slice(2), 'Usage: npm run purge'],
    [[...args, '--all'], "Unknown option '--all'"],
    [replaced('--tenant', 'org_1'), '--tenant must be like org_…#live.'],
    [replaced('--project', 'proj_1'), '--project must be the id of a project.'],
    [replaced('--table', 'no-such-table'), 'The table does not exist'],
  ] as const) {
    const { code, stderr, stdout } = await run([...wrong]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  }
});
