/** Statistics for a credential that is bound to environments: as if the conversations of other environments did not exist. */

import { afterEach, describe, expect, test } from 'vitest';
import { type Json, openApi } from '../../samples/api.ts';
import conversationCounter from '../../workers/conversation-counter.ts';
import { bindToStaging } from '../support/bound.ts';
import { nameScores, storeScores } from '../support/scores.ts';
import { follow } from '../support/workers.ts';

const avatars = ['avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4F'] as const;
const unknown = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const outputs = { csat: { type: 'number', min: 1, max: 5 } } as const;
const range = 'from=2026-03-01T00:00:00Z&to=2026-03-04T00:00:00Z';

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

/**
 * Two projects with the same conversations, apart from those of other environments: the bound key must see in the first what
 * everybody sees in the second.
 */
async function openTwins() {
  const api = await openApi();
  const followers = await follow(api, [conversationCounter]);
  opened.push(followers);
  const [whole, part] = [await api.createProject(), await api.createProject()];
  const bound = await bindToStaging(api, whole);
  const twin = await bindToStaging(api, part);
  await nameScores(api, whole, outputs);
  await nameScores(api, part, outputs);
  const store = async (projectId: string, in_: typeof bound, place: string | null, n: number) => {
    const deploymentId = place === 'staging' ? in_.staging : place === 'production' ? in_.production : place;
    const startedAt = `2026-03-0${1 + (n % 3)}T10:00:00.000Z`;
    const id = await in_.converse(deploymentId, {
      startedAt,
      avatarId: avatars[n % 2],
      channel: n % 4 === 0 ? null : `channel-${n % 2}`,
    });
    const at = new Date(Date.parse(startedAt) + (n + 1) * 1000).toISOString();
    const messages = Array.from({ length: 1 + (n % 3) }, () => ({ role: 'user', text: 'a', at }));
    await api.call('POST', `${in_.project}/conversations/${id}/messages`, { body: { messages } });
    if (n % 2 === 0)
      await storeScores(api, projectId, outputs, id, [{ name: 'csat', value: 1 + (n % 5), source: 'api' }]);
  };
  const places = [
    'staging',
    'production',
    null,
    unknown,
    'staging',
    'production',
    null,
    'production',
    'staging',
  ];
  for (const [n, place] of places.entries()) {
    await store(whole, bound, place, n);
    if (place === 'staging' || place === null) await store(part, twin, place, n);
  }
  await followers.settled();
  const normal = (data: Json) => {
    const { items, totals } = JSON.parse(
      JSON.stringify(data).replaceAll(twin.staging, 'staging').replaceAll(bound.staging, 'staging'),
    ) as { items: Json[]; totals: Json };
    return { items, totals };
  };
  return { api, bound, twin, normal };
}

describe('statistics', () => {
  test('leave out other environments in every grouping, and are exact', async () => {
    const { api, bound, twin, normal } = await openTwins();
    for (const query of [
      'groupBy=day',
      'groupBy=deployment',
      'groupBy=avatar',
      'groupBy=channel',
      'groupBy=score:csat',
      'groupBy=day&score=csat',
      'groupBy=deployment&score=csat',
      'groupBy=avatar&score=csat',
      'groupBy=channel&score=csat',
    ]) {
      const path = `/conversations/stats?${range}&${query}`;
      const seen = await bound.call('GET', path);
      expect(seen.status, seen.text).toBe(200);
      const expected = await api.call('GET', `${twin.project}${path}`);
      expect(normal(seen.data), query).toEqual(normal(expected.data));
      expect((seen.data.totals as Json).conversations, query).toBe(5);
      const all = await api.call('GET', `${bound.project}${path}`);
      expect((all.data.totals as Json).conversations, query).toBe(9);
    }
  });

  test('have nothing for a credential whose environments have no conversations', async () => {
    const { api, bound } = await openTwins();
    const call = bound.callAs(await bound.keyFor(['preview']));
    for (const groupBy of ['day', 'avatar']) {
      const { data } = await call('GET', `/conversations/stats?${range}&groupBy=${groupBy}`);
      // Those without a deployment belong to no environment.
      expect((data.totals as Json).conversations).toBe(2);
    }
    const empty = await api.createProject();
    const { secret } = await api.createKey({ scopes: ['conversations:read'], environments: ['preview'] });
    const { data } = await api.call('GET', `/projects/${empty}/conversations/stats`, { key: secret });
    expect(data).toMatchObject({ items: [], totals: { conversations: 0 }, countedThrough: null });
  });
});
