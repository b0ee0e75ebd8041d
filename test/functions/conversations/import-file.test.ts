import { describe, expect, test } from 'vitest';
import { openApi } from '../../../samples/api.ts';
import { requestImport, upload } from '../../support/imports.ts';
import { responds } from '../../support/responses.ts';

async function openImports() {
  const api = await openApi();
  const project = await api.createProject();
  const send = (uploadId: string, options = {}, to = project) =>
    api.call('POST', `/projects/${to}/conversations/import-file`, { body: { uploadId }, ...options });
  return { api, project, send, uploaded: () => upload(api, project, Buffer.from('x')) };
}

describe('conversations.import-file', () => {
  responds(202, 'with a job, and says where it is', async () => {
    const { project, send, uploaded } = await openImports();
    const response = await send(await uploaded());
    const { id } = response.data;
    expect(response.data).toMatchObject({ type: 'conversations.import', status: 'queued', result: null });
    expect(response.headers.Location).toMatch(
      new RegExp(`/projects/${project}/jobs/${id}\\?waitSeconds=20$`),
    );
    return response;
  });

  responds(202, 'with the same job for a repetition', async () => {
    const { send, uploaded } = await openImports();
    const id = await uploaded();
    const first = await send(id, { idempotencyKey: 'import' });
    const second = await send(id, { idempotencyKey: 'import' });
    expect(second.data).toEqual(first.data);
    return second;
  });

  test('fifty at once start one import', async () => {
    const { send, uploaded } = await openImports();
    const id = await uploaded();
    const all = await Promise.all(Array.from({ length: 50 }, () => send(id)));
    expect(all.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(all.filter(({ error }) => error?.code === 'validation_error')).toHaveLength(49);
  });

  test('400 validation_error: an unknown upload, that of another project, and one that an import has', async () => {
    const { api, send, uploaded } = await openImports();
    const used = await uploaded();
    await send(used);
    for (const response of [
      await send('upl_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'),
      await send(await uploaded(), {}, await api.createProject()),
      await send(used),
    ]) {
      expect(response.error.details?.map(({ path }) => path)).toEqual(['uploadId']);
    }
  });

  test('a key with only conversations:write imports, waits and cancels', async () => {
    const { api, project } = await openImports();
    const { secret: key } = await api.createKey({ scopes: ['conversations:write'] });
    const job = await requestImport(api, project, 'x');
    const path = `/projects/${project}/jobs/${job}`;
    expect((await api.call('GET', path, { key })).status).toBe(200);
    expect((await api.call('POST', `${path}/cancel`, { key })).data.status).toBe('cancelled');
  });
});
