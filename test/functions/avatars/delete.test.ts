import { describe, expect, test } from 'vitest';
import { answers, refuses } from '../../support/answers.ts';
import { idsOf, openProject } from '../../support/avatars.ts';

describe('avatars.delete', () => {
  answers(200, 'with the avatar as it was, which is then gone with its versions', async () => {
    const { createAvatar, send } = await openProject();
    const kept = await createAvatar();
    const { id, ...avatar } = await createAvatar();
    const answer = await send('DELETE', `/avatars/${id}`);
    expect(answer.data).toEqual({ id, ...avatar });
    expect(idsOf((await send('GET', '/avatars')).data)).toEqual([kept.id]);
    for (const path of ['', '/versions', '/versions/1']) {
      expect((await send('GET', `/avatars/${id}${path}`)).error.code).toBe('not_found');
    }
    return answer;
  });

  answers(200, 'an archived one', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    await send('PATCH', `/avatars/${id}`, { status: 'archived' });
    return send('DELETE', `/avatars/${id}`, undefined, { headers: { 'If-Match': '"2"' } });
  });

  refuses('version_mismatch', 'a version that is gone', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    await send('PATCH', `/avatars/${id}`, { name: 'Eve' });
    return send('DELETE', `/avatars/${id}`, undefined, { headers: { 'If-Match': '"1"' } });
  });

  refuses('not_found', 'one that is deleted already', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    await send('DELETE', `/avatars/${id}`);
    return send('DELETE', `/avatars/${id}`);
  });

  test('of ten at the same time one deletes it', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    const answered = await Promise.all(Array.from({ length: 10 }, () => send('DELETE', `/avatars/${id}`)));
    expect(answered.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
