import { describe, expect, test } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { exportNow, fetched, linesOf, partsOf, requestExport } from '../../support/exports.ts';
import { refuses, responds } from '../../support/responses.ts';

const openDocuments = async () => {
  const api = await openApi();
  const project = await api.createProject();
  const body = { title: 'Returns', content: 'Within 30 days. 🙂' };
  await api.call('POST', `/projects/${project}/knowledge/documents`, { body });
  return { api, project };
};

describe('exports.get', () => {
  responds(200, 'with no parts before the job runs, and with links after that', async () => {
    const { api, project } = await openDocuments();
    const queued = await requestExport(api, project, { what: 'documents' });
    expect((await api.call('GET', queued)).data).toMatchObject({
      what: 'documents',
      status: 'queued',
      counts: { records: 0, parts: 0, bytes: 0 },
      parts: [],
      expiresAt: null,
    });
    const response = await api.call('GET', await exportNow(api, project, { what: 'documents' }));
    expect(response.data).toMatchObject({ status: 'succeeded', counts: { records: 1, parts: 1 } });
    expect(response.data.parts).toMatchObject([
      { number: 1, status: 'ready', url: expect.stringContaining('?seconds=900'), records: 1 },
    ]);
    return response;
  });

  test('a document has its content', async () => {
    const { api, project } = await openDocuments();
    const [line] = await linesOf(api, await exportNow(api, project, { what: 'documents' }));
    const { data } = await api.call('GET', `/projects/${project}/knowledge/documents`);
    const [document] = data.items as object[];
    expect(line).toEqual({ ...document, content: 'Within 30 days. 🙂' });
  });

  test('events of the project only', async () => {
    const { api, project } = await openDocuments();
    await api.createProject();
    await api.logChanges();
    const lines = await linesOf(api, await exportNow(api, project, { what: 'audit' }));
    const { data } = await api.call('GET', `/audit-events?projectId=${project}&limit=100`);
    expect(lines).toEqual(data.items);
    expect(lines.length).toBeGreaterThan(0);
  });

  test('links end with the files, a day after they were written', async () => {
    const { api, project } = await openDocuments();
    const path = await exportNow(api, project, { what: 'documents' });
    api.advance(24 * hourMs - 60_000);
    expect(await partsOf(api, path)).toMatchObject([
      { status: 'ready', url: expect.stringMatching(/\?seconds=([45]\d|60)$/) },
    ]);
    api.advance(60_000);
    expect(await partsOf(api, path)).toMatchObject([{ status: 'expired', url: null }]);
  });

  test('a conversation that expires earlier ends its part', async () => {
    const api = await openApi();
    const project = await api.createProject({ settings: { retentionDays: 10 } });
    const startedAt = new Date(Date.now() - 10 * 24 * hourMs + hourMs).toISOString();
    await api.createConversation({ startedAt }, project);
    const path = await exportNow(api, project, { what: 'conversations' });
    const [part] = await partsOf(api, path);
    expect(fetched(api, part?.url ?? null)).toContain(startedAt);
    api.advance(hourMs + 1000);
    expect(await partsOf(api, path)).toMatchObject([{ status: 'expired', url: null }]);
  });

  refuses('insufficient_scope', 'a key that may not read the content', async () => {
    const { api, project } = await openDocuments();
    const path = await exportNow(api, project, { what: 'documents' });
    const { secret: key } = await api.createKey({ scopes: ['conversations:read', 'audit:read'] });
    return api.call('GET', path, { key });
  });

  refuses('unauthorized', 'a revoked key', async () => {
    const { api, project } = await openDocuments();
    const path = await exportNow(api, project, { what: 'documents' });
    const { id, secret: key } = await api.createKey({ scopes: ['knowledge:read'] });
    expect((await api.call('GET', path, { key })).status).toBe(200);
    await api.call('DELETE', `/api-keys/${id}`);
    return api.call('GET', path, { key });
  });

  refuses('not_found', 'in a deleted project', async () => {
    const { api, project } = await openDocuments();
    const path = await exportNow(api, project, { what: 'documents' });
    await api.call('DELETE', `/projects/${project}`);
    return api.call('GET', path);
  });

  refuses('not_found', 'a job that exports nothing', async () => {
    const { api, project } = await openDocuments();
    const { data } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
    return api.call('GET', `/projects/${project}/exports/${data.id}`);
  });
});
