import { describe, expect } from 'vitest';
import { deploy, openProject } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('environments.get', () => {
  responds(200, 'with where it stands', async () => {
    const api = await openProject();
    const first = await deploy(api);
    const second = await deploy(api);
    const response = await api.send('GET', '/environments/production');
    expect(response.data).toEqual({
      name: 'production',
      current: second.id,
      previous: first.id,
      pinned: false,
      rollback: null,
      createdAt: first.createdAt,
      updatedAt: second.createdAt,
    });
    return response;
  });

  refuses('not_found', 'a name that nobody deployed to', async () => {
    const { send } = await openProject();
    return send('GET', '/environments/production');
  });

  refuses('not_found', 'what cannot be a name', async () => {
    const { send } = await openProject();
    return send('GET', '/environments/Production');
  });
});
