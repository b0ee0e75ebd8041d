/**
 * The audit log has exactly one event for each resource that a call changes. Random requests run while the writer of the log is
 * killed, and its notices are repeated, delayed and reordered. Then the log is compared with a model of what was requested, and
 * with the streams.
 */

import { afterEach, expect, test, vi } from 'vitest';
import type { Feed } from '../../scripts/local/feed.ts';
import auditWriter from '../../workers/audit-writer.ts';
import { type ApiResponse, type Json, openApi, type TestApi } from '../support/api.ts';
import { allEvents } from '../support/audit.ts';
import { intercept } from '../support/faults.ts';
import { chanceOf } from '../support/killable.ts';
import { avatarBody } from '../support/samples.ts';
import { follow } from '../support/workers.ts';

const feeds: Feed[] = [];

afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});

/** What the log must say of an event. */
type Expected = {
  requestId: string;
  actor: string;
  action: string;
  outcome: string;
  type: string;
  id: string;
};

const shown = (event: Json): Expected => {
  const { actor, resource } = event as { actor: Json; resource: Json };
  return {
    requestId: `${event.requestId}`,
    actor: `${actor.id}`,
    action: `${event.action}`,
    outcome: `${event.outcome}`,
    type: `${resource.type}`,
    id: `${resource.id}`,
  };
};

const inOrder = (events: readonly Expected[]) => events.map((event) => JSON.stringify(event)).sort();

/** A writer that is killed often, between any two of its calls, before or after the last one takes effect. */
async function followBadly(api: TestApi, chance: () => number): Promise<Feed> {
  const client = intercept(api.runtime.client, (_, proceed) => {
    const die = () => Promise.reject(new Error('killed'));
    const fate = chance();
    // Rare enough that no notice fails 20 times, and becomes a dead letter.
    if (fate < 0.05) return die();
    return fate < 0.1 ? proceed().then(die) : undefined;
  });
  const deliveriesMs = () =>
    Array.from({ length: 1 + Math.floor(chance() * 3) }, () => Math.floor(chance() * 400));
  const runtime = { ...api.runtime, client };
  const feed = await follow({ ...api, runtime }, [auditWriter], { deliveriesMs, secondMs: 2 });
  feeds.push(feed);
  return feed;
}

type Caller = { id: string; key: string };

/** Makes random requests, and notes what the log must say of those that succeed or are refused. */
function historyOf(api: TestApi, callers: readonly Caller[], chance: () => number) {
  const expected: Expected[] = [];
  const known: Record<string, string[]> = {};
  let requests = 0;
  const pick = (kind: string) => {
    const all = known[kind] ?? [];
    return all[Math.floor(chance() * all.length)];
  };
  const add = (kind: string, value: string) => {
    known[kind] = [...(known[kind] ?? []), value];
  };

  async function send(
    action: string,
    method: string,
    path: string,
    body: unknown,
    changed: (data: Json) => [type: string, id: unknown][],
  ): Promise<ApiResponse> {
    const caller = callers[Math.floor(chance() * callers.length)] as Caller;
    requests += 1;
    const requestId = `request-${requests}`;
    const response = await api.call(method, path, { body, key: caller.key, requestId });
    if (response.status >= 300) return response;
    for (const [type, id] of changed(response.data)) {
      expected.push({ requestId, actor: caller.id, action, outcome: 'succeeded', type, id: `${id}` });
    }
    return response;
  }

  const name = () => `name ${chance()}`;
  const idIn = (path: string) => path.split('/').at(-1);
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const { data } = await send('projects.create', 'POST', '/projects', { name: name() }, ({ id }) => [
        ['project', id],
      ]);
      add('project', `/projects/${data.id}`);
    },
    async () => {
      const path = pick('project');
      if (path) await send('projects.update', 'PATCH', path, { name: name() }, ({ id }) => [['project', id]]);
    },
    async () => {
      const path = pick('project');
      if (!path || chance() < 0.7) return;
      await send('projects.delete', 'DELETE', path, undefined, ({ id }) => [['project', id]]);
      if (chance() < 0.7)
        await send('projects.restore', 'POST', `${path}/restore`, undefined, ({ id }) => [['project', id]]);
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const body = { ...avatarBody, name: name() };
      const { data } = await send('avatars.create', 'POST', `${path}/avatars`, body, ({ id }) => [
        ['avatar', id],
      ]);
      if (data.id) add('avatar', `${path}/avatars/${data.id}`);
    },
    async () => {
      const path = pick('avatar');
      if (path) await send('avatars.update', 'PATCH', path, { name: name() }, ({ id }) => [['avatar', id]]);
    },
    async () => {
      const path = pick('avatar');
      if (path && chance() < 0.5)
        await send('avatars.delete', 'DELETE', path, undefined, () => [['avatar', idIn(path)]]);
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const sent = { title: name(), content: 'text', externalId: `${Math.floor(chance() * 3)}` };
      const documents = ['a', 'b'].map((source) => ({ ...sent, source }));
      await send(
        'knowledge.documents.batch',
        'POST',
        `${path}/knowledge/documents/batch`,
        { documents },
        ({ results }) =>
          (results as Json[]).flatMap((item) =>
            item.outcome === 'unchanged' ? [] : [['knowledge_document', (item.document as Json).id]],
          ),
      );
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const body = { avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
      const conversation = `${path}/conversations`;
      const { data } = await send('conversations.create', 'POST', conversation, body, ({ id }) => [
        ['conversation', id],
      ]);
      if (data.id) add('conversation', `${conversation}/${data.id}`);
    },
    async () => {
      const path = pick('conversation');
      const body = { messages: [{ role: 'user', text: 'hello', clientMessageId: name() }] };
      if (path)
        await send('conversations.append', 'POST', `${path}/messages`, body, () => [
          ['conversation', idIn(path)],
        ]);
    },
    async () => {
      const path = pick('conversation');
      if (path && chance() < 0.3)
        await send('conversations.delete', 'DELETE', path, undefined, () => [['conversation', idIn(path)]]);
    },
    async () => {
      const body = { name: name(), scopes: ['projects:read'] };
      const { data } = await send('api-keys.create', 'POST', '/api-keys', body, ({ id }) => [
        ['api_key', id],
      ]);
      if (data.id) add('key', `/api-keys/${data.id}`);
    },
    async () => {
      const path = pick('key');
      if (path) await send('api-keys.update', 'PATCH', path, { name: name() }, ({ id }) => [['api_key', id]]);
    },
    async () => {
      const path = pick('project');
      if (!path) return;
      const before = pick(`current ${path}`);
      const { data } = await send(
        'deployments.create',
        'POST',
        `${path}/deployments`,
        { environment: 'production' },
        ({ id }) => [
          ['deployment', id],
          ['environment', 'production'],
          ...(before ? [['deployment', before] as [string, string]] : []),
        ],
      );
      if (data.id) known[`current ${path}`] = [`${data.id}`];
    },
  ];

  return {
    expected,
    step: () => (steps[Math.floor(chance() * steps.length)] as () => Promise<unknown>)(),
  };
}

test.each([1, 2])(
  'no change is without an event, and no event without a change: random history %i',
  async (seed) => {
    // Each has its own sequence, so that the history does not depend on the speed of the writer.
    const chance = chanceOf(seed);
    const api = await openApi();
    const feed = await followBadly(api, chanceOf(seed + 1000));
    const { id: rootId } = (await api.call('GET', '/api-keys/me')).data;
    const scopes = ['api-keys:write', 'projects:write', 'avatars:write', 'knowledge:write'];
    const other = await api.createKey({ name: 'other', scopes: [...scopes, 'conversations:write'] });
    const callers = [
      { id: `${rootId}`, key: api.rootKey },
      { id: other.id, key: other.secret },
    ];
    await feed.settled();
    const before = new Set((await allEvents(api)).map(({ id }) => id));
    const { expected, step } = historyOf(api, callers, chance);
    for (let n = 0; n < 45; n += 1) await step();
    const newEvents = async () => {
      await feed.settled();
      return (await allEvents(api)).filter(({ id }) => !before.has(id));
    };
    // On a busy machine, the last changes may come late into the streams of DynamoDB Local.
    await vi
      .waitUntil(async () => (await newEvents()).length >= expected.length, { timeout: 60_000 })
      .catch(() => {});
    const found = await newEvents();
    expect(feed.deadLetters()).toEqual([]);
    expect(feed.letters).toEqual([]);
    expect(expected.length).toBeGreaterThan(20);
    expect(inOrder(found.map(shown))).toEqual(inOrder(expected));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    // What is found by a value is what has the value, whatever has failed in between.
    for (const [name, value] of [
      ['actor', other.id],
      ['action', 'projects.create'],
    ] as const) {
      const filtered = await allEvents(api, `&${name}=${value}`);
      const own = (await allEvents(api)).filter((event) =>
        name === 'actor' ? (event.actor as Json).id === value : event.action === value,
      );
      expect(filtered).toEqual(own);
    }
  },
);
