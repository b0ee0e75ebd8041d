import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { deploy, openProject, pointerOf } from '../../support/avatars.ts';
import { afterDeletion } from '../../support/environments.ts';
import { intercept } from '../../support/faults.ts';
import { refuses, responds } from '../../support/responses.ts';

async function openEnvironment(opened?: TestApi) {
  const api = await openProject(opened);
  const project = `/projects/${api.projectId}`;
  return {
    ...api,
    project,
    remove: (name = 'production') => api.send('DELETE', `/environments/${name}`),
    phaseOf: async (id: string) => (await api.send('GET', `/deployments/${id}`)).data.phase,
  };
}

describe('environments.delete', () => {
  responds(200, 'and it serves nothing, while its deployments stay readable', async () => {
    const api = await openEnvironment();
    const { id: avatar } = await api.createAvatar();
    const first = await deploy(api);
    const second = await deploy(api);
    const staged = await deploy(api, { promote: false });
    const other = await deploy(api, { environment: 'staging' });
    const config = (await api.send('GET', `/deployments/${second.id}/config`)).data;
    const response = await api.remove();
    expect(response.data).toMatchObject({ name: 'production', current: null, previous: null, pinned: false });
    for (const path of ['', '/config'])
      expect((await api.send('GET', `/environments/production${path}`)).status).toBe(404);
    expect((await api.send('GET', '/environments')).data.items).toMatchObject([{ name: 'staging' }]);
    expect(await api.phaseOf(second.id)).toBe('superseded');
    await afterDeletion(api, 'production');
    for (const { id } of [first, second, staged]) expect(await api.phaseOf(id)).toBe('superseded');
    expect(await api.phaseOf(other.id)).toBe('current');
    expect((await api.send('GET', `/deployments/${second.id}/config`)).data).toEqual(config);
    expect((await api.send('GET', '/deployments?environment=production')).data.items).toHaveLength(3);
    // Staging still serves the avatar.
    await api.send('PATCH', `/avatars/${avatar}`, { status: 'archived' });
    expect((await api.send('DELETE', `/avatars/${avatar}`)).error.code).toBe('avatar_in_use');
    expect((await api.remove('staging')).status).toBe(200);
    expect((await api.send('DELETE', `/avatars/${avatar}`)).status).toBe(200);
    return response;
  });

  refuses('not_found', 'a second deletion, and a name that nobody deployed to', async () => {
    const api = await openEnvironment();
    await deploy(api);
    expect((await api.remove('staging')).error.code).toBe('not_found');
    await api.remove();
    return api.remove();
  });

  refuses('environment_has_rollout', 'one with a rollout that has not ended', async () => {
    const api = await openEnvironment();
    await deploy(api);
    const current = await pointerOf(api);
    const { id: deploymentId } = await deploy(api, { promote: false });
    const body = { deploymentId, percent: 10 };
    expect((await api.send('POST', '/environments/production/rollout', body)).status).toBe(201);
    const response = await api.remove();
    expect(await pointerOf(api)).toEqual(current);
    return response;
  });

  refuses('not_found', 'an environment of another project', async () => {
    const api = await openEnvironment();
    await deploy(api);
    const other = await openProject(api);
    const response = await other.send('DELETE', '/environments/production');
    expect((await api.send('GET', '/environments/production')).status).toBe(200);
    return response;
  });

  test('a name that comes back has an empty history, and the deployments of before are no part of it', async () => {
    const api = await openEnvironment();
    await deploy(api);
    const before = await deploy(api);
    const staged = await deploy(api, { promote: false });
    await api.send('POST', '/rollback', { environment: 'production' });
    await api.remove();
    expect((await api.send('POST', `/deployments/${before.id}/promote`)).error.code).toBe('not_found');
    expect((await api.send('POST', '/rollback', { environment: 'production' })).error.code).toBe('not_found');
    const { id, heldBack } = await deploy(api);
    expect(heldBack).toBe(false);
    expect(await pointerOf(api)).toEqual({ current: id, previous: null, pinned: false });
    expect((await api.send('POST', '/rollback', { environment: 'production' })).error.code).toBe(
      'nothing_to_roll_back',
    );
    // The worker comes late.
    await afterDeletion(api, 'production');
    expect(await api.phaseOf(id)).toBe('current');
    expect(await api.phaseOf(staged.id)).toBe('superseded');
    const never = { environment: 'production', deploymentId: staged.id };
    expect((await api.send('POST', '/rollback', never)).error.code).toBe('deployment_never_current');
    // Without an index, nothing is missing.
    const back = { environment: 'production', deploymentId: before.id };
    expect((await api.send('POST', '/rollback', back)).status).toBe(200);
    await afterDeletion(api, 'production');
    expect(await api.phaseOf(before.id)).toBe('current');
  });

  test('two deletions at once: one is 404', async () => {
    for (let round = 0; round < 3; round += 1) {
      const api = await openEnvironment();
      await deploy(api);
      const all = await Promise.all([api.remove(), api.remove()]);
      expect(all.map(({ status }) => status).sort()).toEqual([200, 404]);
    }
  });

  test('a deployment and a deletion at once: the environment serves the deployment, or is gone with it', async () => {
    for (let round = 0; round < 6; round += 1) {
      const api = await openEnvironment();
      await deploy(api);
      const body = { promote: round % 2 === 0 };
      const [deployed, removed] = await Promise.all([deploy(api, body), api.remove()]);
      expect(removed.status).toBe(200);
      await afterDeletion(api, 'production');
      const environment = await api.send('GET', '/environments/production');
      const phase = await api.phaseOf(deployed.id);
      if (environment.status === 404) expect(phase).toBe('superseded');
      else {
        expect(environment.data).toMatchObject({
          current: body.promote ? deployed.id : null,
          previous: null,
        });
        expect(phase).toBe(body.promote ? 'current' : 'staged');
      }
    }
  });

  test('a staged deployment that was decided before a deletion creates the environment again', async () => {
    let act: (() => Promise<unknown>) | undefined;
    const opened = await openApi(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        if (!act || !(command instanceof TransactWriteCommand)) return undefined;
        const before = act();
        act = undefined;
        return before.then(proceed);
      }),
    }));
    const api = await openEnvironment(opened);
    await deploy(api);
    act = api.remove;
    const { id } = await deploy(api, { promote: false });
    expect(await pointerOf(api)).toEqual({ current: null, previous: null, pinned: false });
    await afterDeletion(api, 'production');
    expect(await api.phaseOf(id)).toBe('staged');
  });

  test('an environment of an earlier version of the service is deleted with its deployments', async () => {
    const api = await openEnvironment();
    const first = await deploy(api);
    const staged = await deploy(api, { promote: false });
    for (const { generation: _, ...Item } of await storedOf(api, 'deployments'))
      await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.deployments, Item }));
    const second = await deploy(api);
    await api.remove();
    const { id } = await deploy(api);
    await afterDeletion(api, 'production');
    for (const one of [first, staged, second]) expect(await api.phaseOf(one.id)).toBe('superseded');
    expect(await api.phaseOf(id)).toBe('current');
  });
});
