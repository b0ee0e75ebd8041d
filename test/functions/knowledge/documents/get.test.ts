import { describe, expect } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { refuses, responds } from '../../../support/responses.ts';

describe('knowledge.documents.get', () => {
  responds(200, 'with what has become of the document', async () => {
    const { call, path, create, index } = await openKnowledge();
    const created = await create({ externalId: 'a', tags: ['x'] });
    await index(created.id, 'failed');
    const response = await call('GET', `${path}/${created.id}`);
    const error = { code: 'unreadable', message: 'It has no text.' };
    expect(response.data).toEqual({ ...created, status: 'failed', error });
    return response;
  });

  refuses('not_found', 'an id that nobody has', async () => {
    const { call, path } = await openKnowledge();
    return call('GET', `${path}/kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E`);
  });

  refuses('not_found', 'a document of another project', async () => {
    const { call, path, projectId, create, createProject } = await openKnowledge();
    const { id } = await create();
    return call('GET', `${path.replace(projectId, await createProject())}/${id}`);
  });
});
