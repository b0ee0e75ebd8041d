import { describe, expect } from 'vitest';
import { openProject } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('avatars.get', () => {
  responds(200, 'with the avatar and the entity tag of its version', async () => {
    const { createAvatar, send } = await openProject();
    const avatar = await createAvatar();
    const changed = await send('PATCH', `/avatars/${avatar.id}`, { name: 'Eve' });
    const response = await send('GET', `/avatars/${avatar.id}`);
    expect(response.data).toEqual(changed.data);
    expect(response.headers.ETag).toBe('"2"');
    return response;
  });

  responds(200, 'of an archived project too', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    await send('PATCH', '', { status: 'archived' });
    return send('GET', `/avatars/${id}`);
  });

  refuses('not_found', 'an id that nobody has', async () => {
    const { send } = await openProject();
    return send('GET', '/avatars/avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E');
  });
});
