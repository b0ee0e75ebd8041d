import { describe, expect } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

async function openEvent(body: Json = {}) {
  const api = await openApi();
  const project = await api.createProject(body);
  await api.logChanges();
  const { data } = await api.call('GET', `/audit-events?resourceId=${project}`);
  const [event] = data.items as Json[];
  return { api, project, event, path: `/audit-events/${event?.id}` };
}

describe('audit-events.get', () => {
  responds(200, 'as in the list', async () => {
    const { api, event, path } = await openEvent({ name: 'Support', metadata: { a: 'b' } });
    const response = await api.call('GET', path);
    expect(response.data).toEqual(event);
    expect(response.data.changes).toEqual({
      fields: ['name', 'metadata', 'settings', 'status'],
      before: null,
      after: expect.objectContaining({ name: 'Support', metadata: { a: 'b' }, status: 'active' }),
      omitted: [],
    });
    return response;
  });

  responds(200, 'without values that are too long for the log', async () => {
    const { api, path } = await openEvent({
      metadata: { a: 'x'.repeat(500), b: 'y'.repeat(500), c: 'z'.repeat(100) },
    });
    const response = await api.call('GET', path);
    const changes = response.data.changes as Json;
    expect(changes.fields).toContain('metadata');
    expect(changes.omitted).toEqual(['metadata']);
    expect(changes.after).not.toHaveProperty('metadata');
    return response;
  });

  refuses('not_found', 'for a key that is bound to another project', async () => {
    const { api, path } = await openEvent();
    const projectIds = [await api.createProject()];
    const { secret } = await api.createKey({ scopes: ['audit:read'], projectIds });
    return api.call('GET', path, { key: secret });
  });

  refuses('not_found', 'an event that the log no longer keeps', async () => {
    const { api, path } = await openEvent();
    api.advance(366 * dayMs);
    return api.call('GET', path);
  });
});
