import { describe, expect } from 'vitest';
import { deploy, openProject } from '../../support/avatars.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('deployments.get', () => {
  responds(200, 'with what it froze, whatever has changed since', async () => {
    const api = await openProject();
    const { id: avatar } = await api.createAvatar();
    const { id, heldBack: _, heldBackReason: __, warnings: ___, ...deployment } = await deploy(api);
    await api.send('PATCH', `/avatars/${avatar}`, { name: 'Eve' });
    await deploy(api);
    const response = await api.send('GET', `/deployments/${id}`);
    expect(response.data).toEqual({ id, ...deployment, phase: 'superseded' });
    return response;
  });

  refuses('not_found', "another project's deployment", async () => {
    const api = await openProject();
    const { id } = await deploy(api);
    return api.call('GET', `/projects/${await api.createProject()}/deployments/${id}`);
  });
});
