import { describe, expect, test } from 'vitest';
import { openApi, storedOf } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';

const body = { externalUserId: 'anna@example.com' };

describe('conversations.erase', () => {
  responds(202, 'with a job and the URL to wait for its end', async () => {
    const { call, createProject } = await openApi();
    const project = await createProject();
    const response = await call('POST', `/projects/${project}/conversations/erase`, { body });
    expect(response.data).toMatchObject({ type: 'conversations.erase', status: 'queued', result: null });
    const location = `/projects/${project}/jobs/${response.data.id}`;
    expect(response.headers.Location).toContain(`${location}?waitSeconds=20`);
    expect(response.text).not.toContain('anna');
    return response;
  });

  test('works in an archived project', async () => {
    const { call, createProject } = await openApi();
    const project = await createProject();
    await call('PATCH', `/projects/${project}`, { body: { status: 'archived' } });
    expect((await call('POST', `/projects/${project}/conversations/erase`, { body })).status).toBe(202);
  });

  test('the idempotency record does not contain the identifier', async () => {
    const api = await openApi();
    const path = `/projects/${await api.createProject()}/conversations/erase`;
    await api.call('POST', path, { body, idempotencyKey: 'erase' });
    expect(JSON.stringify(await storedOf(api, 'idempotency'))).not.toContain('anna');
  });
});

describe('the scopes for reading and cancelling the job', () => {
  test('a key for conversations gets 200, a key for knowledge insufficient_scope', async () => {
    const { call, createProject, createKey } = await openApi();
    const project = `/projects/${await createProject()}`;
    const own = (await createKey({ scopes: ['conversations:write'] })).secret;
    const other = (await createKey({ scopes: ['knowledge:write'] })).secret;
    const { data } = await call('POST', `${project}/conversations/erase`, { body, key: own });
    const job = `${project}/jobs/${data.id}`;
    expect((await call('GET', job, { key: own })).data.id).toBe(data.id);
    for (const response of [
      await call('GET', job, { key: other }),
      await call('POST', `${job}/cancel`, { key: other }),
    ]) {
      expect(response.error.code).toBe('insufficient_scope');
      expect(response.error.message).toContain('conversations:');
    }
  });
});
