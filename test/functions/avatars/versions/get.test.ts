import { describe, expect } from 'vitest';
import { answers, refuses } from '../../../support/answers.ts';
import { openProject } from '../../../support/avatars.ts';

describe('avatars.versions.get', () => {
  answers(200, 'with the avatar as it was', async () => {
    const { createAvatar, send } = await openProject();
    const { id, ...avatar } = await createAvatar({ persona: { prompt: 'first' } });
    await send('PATCH', `/avatars/${id}`, { persona: { prompt: 'second' }, status: 'archived' });
    const answer = await send('GET', `/avatars/${id}/versions/1`);
    const { updatedAt: _, ...frozen } = avatar;
    expect(answer.data).toEqual({ avatarId: id, ...frozen });
    return answer;
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
