import { describe, expect } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { eventSchemas } from '../../../lib/webhooks/in-events.ts';
import { openApi } from '../../../samples/api.ts';
import { eventsOf } from '../../support/events.ts';
import { refuses, responds } from '../../support/responses.ts';

async function openEvent() {
  const api = await openApi();
  const project = await api.createProject({ name: 'Support', metadata: { a: 'b' } });
  await api.logChanges();
  const [event] = await eventsOf(api, `&resourceId=${project}`);
  return { api, project, event, path: `/events/${event?.id}` };
}

describe('events.get', () => {
  responds(200, 'with the resource as its GET shows it', async () => {
    const { api, project, event, path } = await openEvent();
    const response = await api.call('GET', path);
    expect(response.data).toEqual(event);
    const { data } = await api.call('GET', `/projects/${project}`);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'project.created',
      timestamp: data.createdAt,
      projectId: project,
      data,
    });
    return response;
  });

  responds(
    200,
    'without the secret of a key, its hash, or anything else that GET does not show',
    async () => {
      const api = await openApi();
      const { id } = await api.createKey();
      await api.logChanges();
      const [event] = await eventsOf(api, `&resourceId=${id}`);
      const { data } = await api.call('GET', `/api-keys/${id}`);
      expect(event).toMatchObject({ type: 'api_key.created', projectId: null, data });
      expect(Object.keys(event?.data ?? {}).sort()).toEqual(Object.keys(eventSchemas.api_key.shape).sort());
      return api.call('GET', `/events/${event?.id}`);
    },
  );

  refuses('insufficient_scope', 'a key that may not read the resource, and names the scope', async () => {
    const { api, event, path } = await openEvent();
    const { secret: reader } = await api.createKey({ scopes: ['events:read', 'projects:read'] });
    expect((await api.call('GET', path, { key: reader })).data).toEqual(event);
    const { secret: key } = await api.createKey({ scopes: ['events:read', 'avatars:write'] });
    const response = await api.call('GET', path, { key });
    expect(response.error.message).toBe('This event requires the scope projects:read.');
    return response;
  });

  refuses('not_found', 'for a key that is bound to another project', async () => {
    const { api, path } = await openEvent();
    const projectIds = [await api.createProject()];
    const { secret } = await api.createKey({ scopes: ['events:read'], projectIds });
    return api.call('GET', path, { key: secret });
  });

  refuses('not_found', 'after 30 days', async () => {
    const { api, path } = await openEvent();
    api.advance(29 * dayMs);
    expect((await api.call('GET', path)).status).toBe(200);
    api.advance(dayMs + 1000);
    return api.call('GET', path);
  });
});
