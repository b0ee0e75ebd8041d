/** Limits of how much there may be at the same time: exact in a race, and free again when something has ended. */

import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { hourMs } from '../../lib/base/time.ts';
import { maxExports } from '../../lib/bulk/exports/store.ts';
import { maxUploads } from '../../lib/bulk/imports/uploads/store.ts';
import { type ApiResponse, type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';

type Limited = { path: string; body: Json; most: number; status: number; lastsMs: number };

/** By the error of a request that exceeds it. */
const limited: Readonly<Record<string, Limited>> = {
  too_many_exports: {
    path: 'exports',
    body: { what: 'documents' },
    most: maxExports,
    status: 202,
    lastsMs: 30 * hourMs,
  },
  too_many_uploads: {
    path: 'uploads',
    body: { bytes: 10 },
    most: maxUploads,
    status: 201,
    lastsMs: 24 * hourMs,
  },
};

/** The limits that other tests are about. */
const elsewhere = {
  too_many_avatars: 'of a deployment, which reads them: test/functions/deployments/create.test.ts',
  too_many_evaluators: 'counted: test/functions/evaluators/create.test.ts',
  too_many_identities: 'of a tenant: test/functions/workload-identities/create.test.ts',
  too_many_sources: 'counted, because requests remove them: test/functions/knowledge/sources/create.test.ts',
  too_many_webhooks: 'counted, because requests remove them: test/functions/webhooks/create.test.ts',
};

test('every error of a limit is tested', () => {
  const codes = new Set(
    endpoints.flatMap(({ errors }) => errors.filter((code) => code.startsWith('too_many_'))),
  );
  expect([...codes].toSorted()).toEqual([...Object.keys(limited), ...Object.keys(elsewhere)].toSorted());
});

const send = (api: TestApi, project: string, { path, body }: Limited): Promise<ApiResponse> =>
  api.call('POST', `/projects/${project}/${path}`, { body });

async function sendMany(api: TestApi, project: string, limit: Limited, count: number) {
  const responses = await Promise.all(Array.from({ length: count }, () => send(api, project, limit)));
  return {
    made: responses.filter(({ status }) => status === limit.status),
    codes: [...new Set(responses.flatMap(({ status, error }) => (status >= 400 ? [error.code] : [])))],
  };
}

// Each limit has a fast test beside its endpoint, in test/functions.
describe.each(Object.entries(limited))('%s', { tags: ['long'] }, (code, limit) => {
  test('120 requests at the same time make exactly as many as there may be', async () => {
    const api = await openApi();
    const project = await api.createProject();
    const { made, codes } = await sendMany(api, project, limit, 120);
    expect(made).toHaveLength(limit.most);
    expect(codes).toEqual([code]);
    expect((await send(api, await api.createProject(), limit)).status).toBe(limit.status);
  });

  test('all places are free again when their time is over, and stay as many', async () => {
    const api = await openApi();
    const project = await api.createProject();
    await sendMany(api, project, limit, limit.most);
    expect((await send(api, project, limit)).error.code).toBe(code);
    api.advance(limit.lastsMs + 1000);
    expect((await sendMany(api, project, limit, limit.most + 5)).made).toHaveLength(limit.most);
    const places = (await storedOf(api, 'jobs')).filter(({ tenant }) => `${tenant}`.endsWith('#places'));
    expect(places).toHaveLength(limit.most);
  });
});

test('fifty cancelled exports block nothing', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await api.createProject();
  const limit = limited.too_many_exports;
  if (!limit) throw new Error('no limit of exports');
  const { made } = await sendMany(api, project, limit, limit.most);
  const cancel = ({ data }: ApiResponse) => api.call('POST', `/projects/${project}/jobs/${data.id}/cancel`);
  const [first, ...others] = made;
  if (!first) throw new Error('no export was made');
  expect((await cancel(first)).status).toBe(200);
  expect((await sendMany(api, project, limit, 3)).made).toHaveLength(1);
  await Promise.all(others.map(cancel));
  expect((await sendMany(api, project, limit, 60)).made).toHaveLength(limit.most - 1);
});
