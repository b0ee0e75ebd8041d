import { describe, expect } from 'vitest';
import { sendFile } from '../../../support/extractions.ts';
import { openKnowledge } from '../../../support/knowledge.ts';
import { refuses, responds } from '../../../support/responses.ts';

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
