import { describe, expect } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { allEvents } from '../../support/events.ts';
import { refuses, responds } from '../../support/responses.ts';

const userAgent = 'audit-test/1.0';

/** Two projects, each changed by its own key, which may only use this project. */
async function openStory() {
  const api = await openApi();
  const projects = [await api.createProject({ name: 'one' }), await api.createProject({ name: 'two' })];
  const keys = await Promise.all(
    projects.map((id) => api.createKey({ scopes: ['projects:write', 'audit:read'], projectIds: [id] })),
  );
  for (const [index, { secret }] of keys.entries()) {
    await api.call('PATCH', `/projects/${projects[index]}`, {
      key: secret,
      body: { name: `renamed ${index}`, metadata: { long: 'x'.repeat(500) } },
      requestId: `rename-${index}`,
      headers: { 'User-Agent': userAgent },
      sourceIp: '198.51.100.23',
    });
  }
  await api.logChanges();
  return { api, projects, keys };
}

const found = (events: readonly Json[]) =>
  events.map(({ action, resource }) => `${action} ${(resource as Json).id}`);

describe('audit-events.list', () => {
  responds(200, 'with who changed what, from where', async () => {
    const { api, projects, keys } = await openStory();
    const path = `/audit-events?resourceId=${projects[1]}`;
    const response = await api.call('GET', path);
    const [event] = response.data.items as Json[];
    expect(event).toMatchObject({
      id: expect.stringMatching(/^aud_/),
      actor: { kind: 'key', id: keys[1]?.id, name: 'a key' },
      action: 'projects.update',
      outcome: 'succeeded',
      reason: null,
      resource: { type: 'project', id: projects[1] },
      projectId: projects[1],
      requestId: 'rename-1',
      callId: expect.stringMatching(/^call_/),
      origin: { address: '198.51.100.23', userAgent, via: null },
    });
    expect(Date.now() - Date.parse(`${event?.at}`)).toBeLessThan(60_000);
    return response;
  });

  responds(200, 'with the events that match all filters, newest first, page by page', async () => {
    const { api, projects, keys } = await openStory();
    const all = await allEvents(api);
    const ids = all.map(({ id }) => `${id}`);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const [one = '', two = ''] = projects;
    const queries: [string, (event: Json) => boolean][] = [
      [`actor=${keys[0]?.id}`, ({ actor }) => (actor as Json).id === keys[0]?.id],
      ['action=projects.update', ({ action }) => action === 'projects.update'],
      [`resourceId=${one}`, ({ resource }) => (resource as Json).id === one],
      [`projectId=${two}`, ({ projectId }) => projectId === two],
      [
        `projectId=${two}&action=projects.update`,
        ({ projectId, action }) => projectId === two && action === 'projects.update',
      ],
      [`projectId=${two}&resourceId=${one}`, () => false],
      ['action=none', () => false],
      [`from=${all[2]?.at}`, ({ at }) => `${at}` >= `${all[2]?.at}`],
      [`to=${all[2]?.at}`, ({ at }) => `${at}` < `${all[2]?.at}`],
      [
        `from=${all.at(-1)?.at}&to=${all[0]?.at}&action=api-keys.create`,
        ({ at, action }) =>
          action === 'api-keys.create' && `${at}` < `${all[0]?.at}` && `${at}` >= `${all.at(-1)?.at}`,
      ],
    ];
    for (const [query, isWanted] of queries) {
      const expected = all.filter(isWanted).map(({ id }) => id);
      const single = [];
      for (let cursor = ''; ; ) {
        const { data, text } = await api.call('GET', `/audit-events?limit=1&${query}${cursor}`);
        expect(data.items, text).toBeDefined();
        single.push(...(data.items as Json[]).map(({ id }) => id));
        if (data.nextCursor === null) break;
        cursor = `&cursor=${data.nextCursor}`;
      }
      expect(single, query).toEqual(expected);
      expect((await allEvents(api, `&${query}`)).map(({ id }) => id)).toEqual(expected);
    }
    return api.call('GET', '/audit-events');
  });

  responds(
    200,
    'with `via: mcp` for requests whose user agent is that of POST /mcp, and only at its start',
    async () => {
      const api = await openApi();
      const viaOf = async (agent: string) => {
        const id = await api.createProject();
        const headers = { 'User-Agent': agent };
        await api.call('PATCH', `/projects/${id}`, { body: { name: agent }, headers });
        await api.logChanges();
        const { data } = await api.call('GET', `/audit-events?resourceId=${id}&action=projects.update`);
        return (data.items as { origin: Json }[])[0]?.origin.via;
      };
      expect(await viaOf('platform-mcp/1.2.3 (agent/1)')).toBe('mcp');
      expect(await viaOf('agent/1 platform-mcp/1.2.3')).toBeNull();
      return api.call('GET', '/audit-events');
    },
  );

  responds(200, 'with nothing but its projects, for a key that is bound to some', async () => {
    const { api, projects, keys } = await openStory();
    const [one = ''] = projects;
    const [key] = keys;
    expect(found(await allEvents(api, '', key?.secret))).toEqual([`projects.update ${one}`]);
    expect(await allEvents(api, `&projectId=${projects[1]}`, key?.secret)).toEqual([]);
    const both = await api.createKey({ scopes: ['audit:read'], projectIds: projects });
    expect(found(await allEvents(api, '', both.secret))).toEqual(
      projects.toReversed().map((id) => `projects.update ${id}`),
    );
    return api.call('GET', '/audit-events', { key: both.secret });
  });

  responds(200, 'without events that are older than the log keeps them, and origins of 90 days', async () => {
    const { api, projects } = await openStory();
    const path = `/audit-events?resourceId=${projects[0]}`;
    const originOf = async () => ((await api.call('GET', path)).data.items as Json[])[0]?.origin;
    api.advance(89 * dayMs);
    expect(await originOf()).toMatchObject({ userAgent });
    api.advance(2 * dayMs);
    expect(await originOf()).toBeNull();
    api.advance(273 * dayMs);
    expect(await allEvents(api)).not.toEqual([]);
    api.advance(2 * dayMs);
    expect(await allEvents(api)).toEqual([]);
    return api.call('GET', path);
  });

  refuses('validation_error', 'a time that is none', async () =>
    (await openApi()).call('GET', '/audit-events?from=yesterday'),
  );

  refuses('insufficient_scope', 'a key without audit:read', async () => {
    const api = await openApi();
    return api.call('GET', '/audit-events', { key: (await api.createKey()).secret });
  });
});
