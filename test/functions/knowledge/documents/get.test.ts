import { describe, expect } from 'vitest';
import { sendFile } from '../../../support/extractions.ts';
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

describe('knowledge.documents.content', () => {
  responds(200, 'with the content and what it is', async () => {
    const { call, path, create } = await openKnowledge();
    const content = '# Rückgabe\r\n\r\n*30* Tage\u0000\n';
    const { id, bytes, contentSha256 } = await create({ content, mimeType: 'text/markdown' });
    const response = await call('GET', `${path}/${id}/content`);
    expect(response.data).toEqual({
      content,
      mimeType: 'text/markdown',
      bytes,
      contentSha256,
      nextCursor: null,
    });
    return response;
  });

  responds(200, 'of the largest text', async () => {
    const { call, path, create, put, contentOf } = await openKnowledge();
    const { id } = await create({ externalId: 'a' });
    const content = '\u007f'.repeat(200 * 1024);
    await put('a', { content });
    expect(await contentOf(id)).toBe(content);
    return call('GET', `${path}/${id}/content`);
  });

  refuses('not_found', 'a document that is deleted', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create();
    await call('DELETE', `${path}/${id}`);
    return call('GET', `${path}/${id}/content`);
  });

  refuses('not_extracted', 'a file whose text is not extracted yet', async () => {
    const api = await openKnowledge();
    const { id } = await sendFile(api, Buffer.from('text'));
    return api.call('GET', `${api.path}/${id}/content`);
  });
});
