import { describe, expect, test } from 'vitest';
import { openProject } from '../../../support/avatars.ts';
import { refuses, responds } from '../../../support/responses.ts';

describe('avatars.versions.list', () => {
  responds(200, 'newest first, page by page, each with who made it and when', async () => {
    const { createAvatar, createKey, send, advance } = await openProject();
    const { id, createdAt, createdBy, updatedAt: _, externalId: __, ...first } = await createAvatar();
    advance(1000);
    const { id: other, secret } = await createKey({ scopes: ['avatars:write'] });
    const { data } = await send('PATCH', `/avatars/${id}`, { name: 'Eve' }, { key: secret });
    const response = await send('GET', `/avatars/${id}/versions?limit=1`);
    const changed = { name: 'Eve', version: 2, createdAt: data.updatedAt, createdBy: other };
    expect(response.data.items).toEqual([{ ...first, avatarId: id, ...changed }]);
    const cursor = response.data.nextCursor as string;
    const rest = await send('GET', `/avatars/${id}/versions?cursor=${cursor}`);
    expect(rest.data).toEqual({
      items: [{ ...first, avatarId: id, createdAt, createdBy }],
      nextCursor: null,
    });
    return response;
  });

  refuses('not_found', 'an avatar that nobody has', async () => {
    const { send } = await openProject();
    return send('GET', '/avatars/avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/versions');
  });

  test('in the order of numbers, past nine and past a page', { tags: ['long'] }, async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    for (let version = 2; version <= 12; version += 1) {
      await send('PATCH', `/avatars/${id}`, { metadata: { version: `${version}` } });
    }
    const found: number[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { data } = await send('GET', `/avatars/${id}/versions?limit=5${cursor && `&cursor=${cursor}`}`);
      found.push(...(data.items as { version: number }[]).map(({ version }) => version));
      cursor = data.nextCursor;
    }
    expect(found).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });
});
