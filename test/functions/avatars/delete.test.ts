import { describe, expect, test } from 'vitest';
import { deploy, idsOf, openProject } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('avatars.delete', () => {
  responds(200, 'with the avatar as it was, which is then gone with its versions', async () => {
    const { createAvatar, send } = await openProject();
    const kept = await createAvatar();
    const { id, ...avatar } = await createAvatar();
    const response = await send('DELETE', `/avatars/${id}`);
    expect(response.data).toEqual({ id, ...avatar });
    expect(idsOf((await send('GET', '/avatars')).data)).toEqual([kept.id]);
    for (const path of ['', '/versions', '/versions/1']) {
      expect((await send('GET', `/avatars/${id}${path}`)).error.code).toBe('not_found');
    }
    return response;
  });

  responds(200, 'an archived one', async () => {
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

  refuses('avatar_in_use', 'one that an environment serves, which the message names', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    await deploy(api, { environment: 'a-first', promote: false });
    const deployment = await deploy(api, { environment: 'staging' });
    const response = await api.send('DELETE', `/avatars/${id}`);
    expect(response.error.message).toContain('staging');
    expect(response.error.message).toContain(deployment.id);
    expect((await api.send('GET', `/avatars/${id}`)).status).toBe(200);
    return response;
  });

  refuses('avatar_in_use', 'one that only the candidate of a rollout serves', async () => {
    const api = await openProject();
    await api.createAvatar();
    await deploy(api);
    const { id } = await api.createAvatar();
    const candidate = await deploy(api, { promote: false });
    const body = { deploymentId: candidate.id, percent: 10 };
    expect((await api.send('POST', '/environments/production/rollout', body)).status).toBe(201);
    const response = await api.send('DELETE', `/avatars/${id}`);
    expect(response.error.message).toBe(
      `The environment production serves this avatar in the candidate of its rollout ${candidate.id}. End the rollout first.`,
    );
    expect((await api.send('GET', `/avatars/${id}`)).status).toBe(200);
    return response;
  });

  responds(200, 'one that was served, after a deployment without it', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    await deploy(api);
    await api.send('PATCH', `/avatars/${id}`, { status: 'archived' });
    expect((await api.send('DELETE', `/avatars/${id}`)).error.code).toBe('avatar_in_use');
    await deploy(api);
    return api.send('DELETE', `/avatars/${id}`);
  });

  test('of ten at the same time one deletes it', async () => {
    const { createAvatar, send } = await openProject();
    const { id } = await createAvatar();
    const answered = await Promise.all(Array.from({ length: 10 }, () => send('DELETE', `/avatars/${id}`)));
    expect(answered.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
