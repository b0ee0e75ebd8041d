import { describe, expect, test } from 'vitest';
import { openApi, storedOf } from '../../../samples/api.ts';
import { exportNow, linesOf } from '../../support/exports.ts';
import { refuses, responds } from '../../support/responses.ts';

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
