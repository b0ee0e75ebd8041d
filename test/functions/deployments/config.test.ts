import { describe, expect, test } from 'vitest';
import { avatarBody } from '../../../samples/samples.ts';
import { deploy, openProject } from '../../support/avatars.ts';
import { publishIndex } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('deployments.config', () => {
  responds(200, 'with what was frozen, when its environment serves another deployment', async () => {
    const api = await openProject();
    const { id } = await api.createAvatar();
    await publishIndex(api, api.projectId, 'idx_1');
    const first = await deploy(api);
    const served = await api.send('GET', '/environments/production/config');
    await api.send('PATCH', `/avatars/${id}`, { name: 'Eve', status: 'archived' });
    await publishIndex(api, api.projectId, 'idx_2');
    await deploy(api);
    // No environment serves the avatar, so it can be deleted.
    expect((await api.send('DELETE', `/avatars/${id}`)).status).toBe(200);
    const response = await api.send('GET', `/deployments/${first.id}/config`);
    expect(response.data).toEqual(served.data);
    expect(response.data).toMatchObject({
      environment: 'production',
      deploymentId: first.id,
      knowledgeIndexVersion: 'idx_1',
      avatars: [{ id, version: 1, name: avatarBody.name, persona: avatarBody.persona }],
    });
    expect(response.headers.ETag).toBe(`"${first.configHash}"`);
    return response;
  });

  responds(304, 'without a body while nothing was expunged', async () => {
    const api = await openProject();
    const { id, configHash } = await deploy(api);
    const path = `/projects/${api.projectId}/deployments/${id}/config`;
    const ask = (tag: string) => api.call('GET', path, { headers: { 'If-None-Match': tag } });
    expect((await ask('"other"')).status).toBe(200);
    const response = await ask(`"${configHash}"`);
    expect([response.status, response.text]).toEqual([304, '']);
    return response;
  });

  refuses('not_found', 'a deployment of another project, or of another mode', async () => {
    const api = await openProject();
    const { id } = await deploy(api);
    const other = await openProject(api);
    const inTestMode = await api.call('GET', `/projects/${api.projectId}/deployments/${id}/config`, {
      key: await api.testModeKey(),
    });
    expect(inTestMode.error.code).toBe('not_found');
    return other.send('GET', `/deployments/${id}/config`);
  });

  test('a staged deployment has one, too', async () => {
    const api = await openProject();
    await api.createAvatar();
    const { id, configHash } = await deploy(api, { promote: false });
    const { data } = await api.send('GET', `/deployments/${id}/config`);
    expect(data).toMatchObject({ deploymentId: id, configHash, avatars: [{ name: avatarBody.name }] });
  });
});
