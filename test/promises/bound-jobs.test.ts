/** The jobs of a credential that is bound to environments do their work in them, and exist only for who has them. */

import { describe, expect, test } from 'vitest';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { bindToStaging } from '../support/bound.ts';
import { finishRun, openEvaluations, ruleOf } from '../support/evaluations.ts';
import { fetched, runJob } from '../support/exports.ts';
import { requestImport, runImportJob, textOf } from '../support/imports.ts';

async function openBound() {
  const api = await openApi();
  const projectId = await api.createProject();
  return { api, projectId, ...(await bindToStaging(api, projectId)) };
}

type Bound = Awaited<ReturnType<typeof openBound>>;

/** Lets one export run. @returns the ids of the lines in its files, and its job */
async function exportAs(
  { api, projectId, callAs }: Bound,
  by: string | undefined,
  body: Json = { what: 'conversations' },
) {
  const call = callAs(by);
  const requested = await call('POST', '/exports', body);
  expect(requested.status, requested.text).toBe(202);
  const id = `${requested.data.id}`;
  await runJob(api, projectId, id);
  return { id, job: requested.data, lines: await linesIn(api, (await call('GET', `/exports/${id}`)).data) };
}

async function linesIn(api: TestApi, shown: Json) {
  const texts = (shown.parts as { url: string }[]).map(({ url }) => fetched(api, url) ?? '');
  const lines = texts
    .join('')
    .split('\n')
    .filter((line) => line !== '');
  return new Set(lines.map((line) => `${(JSON.parse(line) as Json).id}`));
}

describe('an export', () => {
  test('has only conversations of the environments, and those without a deployment', async () => {
    const bound = await openBound();
    const { converse, staging, production, key } = bound;
    const own = [await converse(staging), await converse(null), await converse(staging, { channel: 'web' })];
    const other = await converse(production);
    const unknown = await converse('dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E');
    const { lines, job } = await exportAs(bound, key);
    expect(lines).toEqual(new Set(own));
    expect(job.environments).toEqual(['staging']);
    const named = { what: 'conversations', filters: { deploymentId: production } };
    expect((await exportAs(bound, key, named)).lines).toEqual(new Set());
    const all = await exportAs(bound, undefined);
    expect(all.lines).toEqual(new Set([...own, other, unknown]));
    expect(all.job.environments).toBeUndefined();
  });

  test('exists only for credentials that have its environments', async () => {
    const bound = await openBound();
    const { api, callAs, keyFor, key, project } = bound;
    const ofBoth = await keyFor(['production', 'staging']);
    const ofOther = await keyFor(['production']);
    const ids = {
      staging: (await exportAs(bound, key)).id,
      both: (await exportAs(bound, ofBoth)).id,
      all: (await exportAs(bound, undefined)).id,
    };
    const seen = async (by: string | undefined) => {
      const call = callAs(by);
      const found: string[] = [];
      for (const [name, id] of Object.entries(ids)) {
        const statuses = [`/exports/${id}`, `/jobs/${id}`].map(
          async (path) => (await call('GET', path)).status,
        );
        const [asExport, asJob] = await Promise.all(statuses);
        expect(asExport).toBe(asJob);
        if (asExport === 200) found.push(name);
        else expect((await call('POST', `/jobs/${id}/cancel`)).status).toBe(404);
      }
      const listed = ((await call('GET', '/jobs')).data.items as Json[]).map(({ id }) => id);
      const names = Object.entries(ids).flatMap(([name, id]) => (listed.includes(id) ? [name] : []));
      expect(names).toEqual(found);
      return found;
    };
    expect(await seen(key)).toEqual(['staging']);
    expect(await seen(ofBoth)).toEqual(['staging', 'both']);
    expect(await seen(ofOther)).toEqual([]);
    expect(await seen(undefined)).toEqual(['staging', 'both', 'all']);
    expect((await api.call('GET', `${project}/jobs/${ids.staging}`)).data.environments).toEqual(['staging']);
  });

  test('of documents belongs to no environment, and that of the audit log is refused', async () => {
    const bound = await openBound();
    const { job } = await exportAs(bound, bound.key, { what: 'documents' });
    expect(job.environments).toBeUndefined();
    const refused = await bound.call('POST', '/exports', { what: 'audit' });
    expect(refused.error.code, refused.text).toBe('insufficient_scope');
    const ofAll = await bound.api.call('POST', `${bound.project}/exports`, { body: { what: 'audit' } });
    for (const path of ['exports', 'jobs'])
      expect((await bound.call('GET', `/${path}/${ofAll.data.id}`)).status).toBe(404);
  });

  test('is not replayed for other environments', async () => {
    const { api, project, key, keyFor } = await openBound();
    const request = (by: string | undefined) =>
      api.call('POST', `${project}/exports`, {
        ...(by && { key: by }),
        idempotencyKey: 'once',
        body: { what: 'conversations' },
      });
    const first = await request(key);
    expect((await request(key)).data.id).toBe(first.data.id);
    for (const other of [await keyFor(['production']), undefined])
      expect((await request(other)).error.code).toBe('idempotency_key_reused');
  });
});

test('an import refuses the lines that name another environment, and tells nothing about its conversations', async () => {
  const { api, projectId, project, key, call, converse, staging, production } = await openBound();
  const line = (externalId: string, deploymentId: string | null, more: Json = {}) => ({
    avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    startedAt: '2026-03-01T10:00:00.000Z',
    externalId,
    deploymentId,
    messages: [{ role: 'user', text: 'hello', at: '2026-03-01T10:00:01.000Z' }],
    ...more,
  });
  const hidden = await converse(production, { externalId: 'taken', startedAt: '2026-03-01T10:00:00.000Z' });
  const own = await converse(staging, { externalId: 'own', startedAt: '2026-03-01T10:00:00.000Z' });
  const file = [
    { id: hidden, messages: line('', null).messages },
    line('a', staging),
    line('b', null),
    line('c', production),
    line('d', 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'),
    line('taken', staging),
    line('e', staging, { id: hidden }),
    line('own', staging),
  ];
  const id = await requestImport(api, projectId, textOf(file), key);
  await runImportJob(api, projectId, id);
  const { data: job, text } = await call('GET', `/jobs/${id}`);
  expect(job, text).toMatchObject({ status: 'succeeded', environments: ['staging'] });
  expect(job.result).toMatchObject({ created: 2, unchanged: 1, failed: 5 });
  const errors = (job.result as { errors: Json[] }).errors.map(({ line, code }) => [line, code]);
  expect(errors).toEqual([
    [1, 'conversation_missing'],
    [4, 'not_found'],
    [5, 'not_found'],
    [6, 'external_id_taken'],
    [7, 'external_id_taken'],
  ]);
  expect(text).not.toContain(hidden);
  expect((await api.call('GET', `${project}/conversations/${hidden}`)).data.messageCount).toBe(0);
  expect((await call('GET', `/conversations/${own}`)).data.messageCount).toBe(1);
  // A key without environments imports the same file, and its job does not exist for the other.
  const all = await requestImport(api, projectId, textOf(file.slice(3, 4)));
  await runImportJob(api, projectId, all);
  expect((await api.call('GET', `${project}/jobs/${all}`)).data.result).toMatchObject({ created: 1 });
  expect((await call('GET', `/jobs/${all}`)).status).toBe(404);
});

test('an evaluation run leaves out conversations of other environments, and so do a dry run and a preview', async () => {
  const { api, project: projectId, createEvaluator, path } = await openEvaluations();
  const { id: evaluator } = await createEvaluator('short', ruleOf());
  const { converse, call, staging, production, keyFor, callAs } = await bindToStaging(api, projectId);
  const own = [await converse(staging), await converse(null)];
  const other = await converse(production);
  const finish = async (body: Json) => {
    const requested = await call('POST', '/evaluation-runs', body);
    expect(requested.status, requested.text).toBe(202);
    const ended = await finishRun(api, projectId, `${requested.data.id}`);
    expect(ended.result, JSON.stringify(ended)).toMatchObject({ conversations: own.length });
    return `${ended.id}`;
  };
  await finish({ dryRun: true });
  const preview = await finish({ preview: true });
  const { result } = (await call('GET', `/jobs/${preview}`)).data as { result: { preview: Json[] } };
  expect(result.preview.map(({ conversationId }) => conversationId).toSorted()).toEqual(own.toSorted());
  const run = await finish({});
  const scored = (await storedOf(api, 'conversations')).filter(({ tenant }) =>
    `${tenant}`.includes('#scores'),
  );
  expect(scored.length).toBeGreaterThan(0);
  for (const id of own) {
    const scores = (await call('GET', `/conversations/${id}/scores`)).data.items as Json[];
    expect(scores.map(({ evaluatorId }) => evaluatorId)).toEqual([evaluator]);
  }
  expect((await api.call('GET', `${path}/conversations/${other}/scores`)).data.items).toEqual([]);
  const callOfOther = callAs(await keyFor(['production']));
  expect((await callOfOther('GET', `/jobs/${run}`)).status).toBe(404);
  expect((await callOfOther('POST', `/jobs/${run}/cancel`)).status).toBe(404);
  // The run of all environments gives what is missing, and is not for the bound credential.
  const { data: all } = await api.call('POST', `${path}/evaluation-runs`, { body: {} });
  expect((await finishRun(api, projectId, `${all.id}`)).result).toMatchObject({ conversations: 3 });
  expect((await call('GET', `/jobs/${all.id}`)).status).toBe(404);
});
