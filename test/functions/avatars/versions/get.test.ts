import { describe, expect } from 'vitest';
import { openProject } from '../../../support/avatars.ts';
import { refuses, responds } from '../../../support/responses.ts';

describe('avatars.versions.get', () => {
  responds(200, 'with the avatar as it was', async () => {
    const { createAvatar, send } = await openProject();
    const { id, ...avatar } = await createAvatar({ persona: { prompt: 'first' } });
    await send('PATCH', `/avatars/${id}`, { persona: { prompt: 'second' }, status: 'archived' });
    const response = await send('GET', `/avatars/${id}/versions/1`);
    const { updatedAt: _, externalId: __, ...frozen } = avatar;
    expect(response.data).toEqual({ avatarId: id, ...frozen });
    return response;
  });

  refuses('not_found', 'a version that there is not yet', async () => {
    const { createAvatar, send } = await openProject();
    return send('GET', `/avatars/${(await createAvatar()).id}/versions/2`);
  });

  for (const version of ['0', '01', '-1', '1.0', 'latest', '99999999999']) {
    refuses('not_found', `the version ${version}`, async () => {
      const { createAvatar, send } = await openProject();
      return send('GET', `/avatars/${(await createAvatar()).id}/versions/${version}`);
    });
  }
});
