import { describe, expect, test } from 'vitest';
import { hourMs } from '../../lib/base/time.ts';
import { openApi, storedOf } from '../../samples/api.ts';
import { exportNow, fetched, linesOf, partsOf, requestExport } from '../support/exports.ts';
import { refuses, responds } from '../support/responses.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

describe('exports.create', () => {
  responds(202, 'with a job and the URL to wait for its end', async () => {
    const { call, createProject } = await openApi();
    const project = `/projects/${await createProject()}`;
    const response = await call('POST', `${project}/exports`, { body: { what: 'conversations' } });
    expect(response.data).toMatchObject({ type: 'conversations.export', status: 'queued', result: null });
    expect(response.headers.Location).toContain(`${project}/jobs/${response.data.id}?waitSeconds=20`);
    return response;
  });

  for (const [what, scope] of [
    ['conversations', 'conversations:read'],
    ['documents', 'knowledge:read'],
    ['audit', 'audit:read'],
  ]) {
    refuses('insufficient_scope', `${what} with a key that may not read them`, async () => {
      const { call, createProject, createKey } = await openApi();
      const all = ['conversations:read', 'knowledge:read', 'audit:read'];
      const { secret: key } = await createKey({ scopes: all.filter((other) => other !== scope) });
      const path = `/projects/${await createProject()}/exports`;
      const response = await call('POST', path, { body: { what }, key });
      expect(response.error.message).toContain(scope);
      return response;
    });

    responds(202, `${what} with a key that may only read them`, async () => {
      const { call, createProject, createKey } = await openApi();
      const { secret: key } = await createKey({ scopes: [scope] });
      return call('POST', `/projects/${await createProject()}/exports`, { body: { what }, key });
    });
  }

  for (const body of [{ what: 'projects' }, { what: 'documents', filters: { channel: 'web' } }, {}]) {
    refuses('validation_error', JSON.stringify(body), async () => {
      const { call, createProject } = await openApi();
      return call('POST', `/projects/${await createProject()}/exports`, { body });
    });
  }

  refuses('validation_error', 'another content, and names the contents', async () => {
    const { call, createProject } = await openApi();
    const path = `/projects/${await createProject()}/exports`;
    const response = await call('POST', path, { body: { what: 'projects' } });
    expect(response.error.details).toEqual([
      { path: 'what', message: 'must be one of conversations, documents, audit' },
    ]);
    return response;
  });

  refuses('too_many_exports', 'while 50 of the project are kept', async () => {
    const { call, createProject, advance } = await openApi();
    const path = `/projects/${await createProject()}/exports`;
    const request = () => call('POST', path, { body: { what: 'documents' } });
    for (let n = 0; n < 50; n += 1) expect((await request()).status).toBe(202);
    const response = await request();
    advance(31 * 3_600_000);
    expect((await request()).status).toBe(202);
    return response;
  });

  test('the filters choose what is exported', { tags: ['long'] }, async () => {
    const api = await openApi();
    const project = await api.createProject();
    await api.createConversation({ channel: 'web' }, project);
    await api.createConversation({ channel: 'phone', startedAt: '2026-03-01T09:30:00Z' }, project);
    await api.createConversation({ channel: 'phone' }, project);
    const channels = async (filters: object) => {
      const path = await exportNow(api, project, { what: 'conversations', filters });
      return (await linesOf(api, path)).map(({ channel, startedAt }) => [
        channel,
        `${startedAt}`.slice(0, 7),
      ]);
    };
    expect(await channels({ channel: 'web' })).toHaveLength(1);
    expect(await channels({ channel: 'phone', startedBefore: '2026-04-01T00:00:00Z' })).toEqual([
      ['phone', '2026-03'],
    ]);
    expect(await channels({ avatarId })).toHaveLength(3);
  });

  test('the filters are forgotten when the job has ended', async () => {
    const api = await openApi();
    const project = await api.createProject();
    const filters = { externalUserId: 'anna@example.com' };
    await exportNow(api, project, { what: 'conversations', filters });
    expect(JSON.stringify(await storedOf(api, 'jobs'))).not.toContain('anna');
  });
});

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
      { status: 'ready', url: expect.stringMatching(/\?seconds=(59|60)$/) },
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
