import { describe, expect } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { openApi, storedOf } from '../../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../../samples/lambda-queue.ts';
import { avatarBody } from '../../../samples/samples.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import eventWriter from '../../../workers/event-writer.ts';
import { type Event, eventsOf } from '../../support/events.ts';
import { refuses, responds } from '../../support/responses.ts';

/** Two projects with an avatar each, and a key. */
async function openStory() {
  const api = await openApi();
  const projects = [await api.createProject({ name: 'one' }), await api.createProject({ name: 'two' })];
  for (const id of projects) await api.call('POST', `/projects/${id}/avatars`, { body: avatarBody });
  await api.logChanges();
  const records = (await storedOf(api, 'avatars')).map((item) => changeRecord(undefined, item));
  await deliverNotices(api.runtime, eventWriter, noticesOf(eventWriter, records, 'avatars'));
  return { api, projects };
}

const ids = (events: readonly Event[]) => events.map(({ id }) => id);

describe('events.list', () => {
  responds(200, 'with the events that match all filters, newest first, page by page', async () => {
    const { api, projects } = await openStory();
    const all = await eventsOf(api);
    expect(all.map(({ type }) => type).sort()).toEqual([
      'api_key.created',
      'avatar.created',
      'avatar.created',
      'project.created',
      'project.created',
    ]);
    expect(ids(all)).toEqual(ids(all).toSorted().toReversed());
    const [one = '', two = ''] = projects;
    const from = all[2]?.timestamp ?? '';
    const queries: [string, (event: Event) => boolean][] = [
      ['type=avatar.created', ({ type }) => type === 'avatar.created'],
      ['type=project.*', ({ type }) => type.startsWith('project.')],
      [`projectId=${two}`, ({ projectId }) => projectId === two],
      [`resourceId=${one}`, ({ data }) => data.id === one],
      [
        `type=avatar.*&projectId=${two}`,
        (event) => event.projectId === two && event.type === 'avatar.created',
      ],
      [`projectId=${two}&resourceId=${one}`, () => false],
      [`from=${from}`, ({ timestamp }) => timestamp >= from],
      [`to=${from}`, ({ timestamp }) => timestamp < from],
      [`type=project.*&to=${from}`, (event) => event.timestamp < from && event.type.startsWith('project.')],
    ];
    for (const [query, isWanted] of queries) {
      const expected = ids(all.filter(isWanted));
      const single = [];
      for (let cursor = ''; ; ) {
        const { data, text } = await api.call('GET', `/events?limit=1&${query}${cursor}`);
        expect(data.items, text).toBeDefined();
        single.push(...ids(data.items as Event[]));
        if (data.nextCursor === null) break;
        cursor = `&cursor=${data.nextCursor}`;
      }
      expect(single, query).toEqual(expected);
      expect(ids(await eventsOf(api, `&${query}`)), query).toEqual(expected);
    }
    return api.call('GET', '/events');
  });

  responds(200, 'with nothing but its projects, for a key that is bound to some', async () => {
    const { api, projects } = await openStory();
    const [one = '', two = ''] = projects;
    const { secret: key } = await api.createKey({
      scopes: ['events:read', 'projects:read', 'avatars:read', 'api-keys:read'],
      projectIds: [one],
    });
    const own = (await eventsOf(api)).filter(({ projectId }) => projectId === one);
    expect(own).toHaveLength(2);
    expect(await eventsOf(api, '', key)).toEqual(own);
    expect(await eventsOf(api, `&projectId=${two}`, key)).toEqual([]);
    expect(await eventsOf(api, `&resourceId=${two}`, key)).toEqual([]);
    expect(await eventsOf(api, '&type=api_key.*', key)).toEqual([]);
    return api.call('GET', '/events', { key });
  });

  responds(200, 'without events of more than 30 days ago', async () => {
    const { api, projects } = await openStory();
    api.advance(29 * dayMs);
    expect(await eventsOf(api)).toHaveLength(5);
    api.advance(dayMs + 1000);
    expect(await eventsOf(api)).toEqual([]);
    expect(await eventsOf(api, `&resourceId=${projects[0]}`)).toEqual([]);
    return api.call('GET', '/events');
  });

  responds(200, 'with nothing but what the other scopes of the key read', async () => {
    const { api, projects } = await openStory();
    const all = await eventsOf(api);
    const keyWith = async (...scopes: string[]) =>
      (await api.createKey({ scopes: ['events:read', ...scopes] })).secret;
    expect(await eventsOf(api, '', await keyWith())).toEqual([]);
    const key = await keyWith('avatars:write', 'projects:read');
    const own = all.filter(({ type }) => !type.startsWith('api_key.'));
    expect(await eventsOf(api, '', key)).toEqual(own);
    expect(await eventsOf(api, '&type=avatar.*', key)).toEqual(
      own.filter(({ type }) => type.startsWith('avatar.')),
    );
    expect(await eventsOf(api, `&projectId=${projects[0]}`, key)).toHaveLength(2);
    // Page by page, and no page is empty.
    const { data } = await api.call('GET', '/events?limit=3', { key });
    expect(data.items).toEqual(own.slice(0, 3));
    const rest = await api.call('GET', `/events?limit=3&cursor=${data.nextCursor}`, { key });
    expect(rest.data).toEqual({ items: own.slice(3), nextCursor: null });
    return api.call('GET', '/events', { key });
  });

  refuses(
    'insufficient_scope',
    'a type of which the key may read no event, and names the scopes',
    async () => {
      const api = await openApi();
      const { secret: key } = await api.createKey({ scopes: ['events:read', 'projects:read'] });
      const jobs = await api.call('GET', '/events?type=job.*', { key });
      expect(jobs.error).toMatchObject({
        code: 'insufficient_scope',
        message:
          'This type of events requires one of the scopes knowledge:read, conversations:read, audit:read.',
      });
      const response = await api.call('GET', '/events?type=avatar.created', { key });
      expect(response.error.message).toBe('This type of events requires the scope avatars:read.');
      return response;
    },
  );

  refuses('validation_error', 'an unknown type', async () =>
    (await openApi()).call('GET', '/events?type=project.exploded'),
  );

  refuses('insufficient_scope', 'a key without events:read', async () => {
    const api = await openApi();
    const { secret: key } = await api.createKey({ scopes: ['audit:read', 'projects:write'] });
    return api.call('GET', '/events', { key });
  });
});
