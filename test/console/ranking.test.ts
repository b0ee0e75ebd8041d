/** Which conversations the console shows first, and how much of the list it reads for this. */

import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../clients/typescript/src/index.ts';
import {
  isUnanswered,
  ranked,
  rankedCount,
  rankedPage,
} from '../../console/src/pages/conversations/ranking.ts';
import type { AnyPage } from '../../console/src/request/use-pages.ts';

type Value = Conversation & { name: string };

const value = (name: string, fields: Partial<Conversation> & { user?: number; avatar?: number }): Value => {
  const { user = 1, avatar = 1, ...others } = fields;
  const at = '2026-03-01T09:30:00.000Z';
  return {
    ...{ id: name, avatarId: 'avtr', externalId: null, externalUserId: null, channel: null, tags: [] },
    ...{ scores: [], assignment: null, counted: false, test: false },
    ...{ metadata: {}, deploymentId: null, status: 'ended', startedAt: at, endedAt: at, endReason: null },
    ...{ messageCount: user + avatar, durationSeconds: 0, firstMessageAt: null, lastMessageAt: null },
    ...{ lastActivityAt: at, createdAt: at, updatedAt: at, createdBy: 'key' },
    messageCountByRole: { user, avatar, system: 0, tool: 0 },
    ...others,
    name,
  };
};

const names = (values: readonly Value[]) => values.map(({ name }) => name);

describe('ranked', () => {
  const calm = value('calm', { endReason: 'completed', messageCount: 90, durationSeconds: 10 });
  const own = value('own word', { endReason: 'resolved', messageCount: 80, durationSeconds: 900 });
  const late = value('timeout', { endReason: 'timeout' });
  const left = value('abandoned', { endReason: 'abandoned' });
  const failed = value('error', { endReason: 'error' });
  const silent = value('no answer', { user: 3, avatar: 0 });
  const worst = value('no answer, abandoned', { user: 2, avatar: 0, endReason: 'abandoned' });
  const all = [calm, own, late, silent, left, failed, worst];

  test('trouble is first: two signs, then the worse end, then no answer, then the length', () => {
    expect(names(ranked(all, 'trouble'))).toEqual([
      'no answer, abandoned',
      'error',
      'abandoned',
      'timeout',
      'no answer',
      'calm',
      'own word',
    ]);
  });

  test('the number of messages, or the time, is what counts in the other orders', () => {
    expect(names(ranked([own, calm, silent], 'messages'))).toEqual(['calm', 'own word', 'no answer']);
    expect(names(ranked([calm, silent, own], 'duration'))).toEqual(['own word', 'calm', 'no answer']);
  });

  test('equal ones keep their order, and the list itself is not changed', () => {
    const same = ['a', 'b', 'c'].map((name) => value(name, {}));
    expect(names(ranked(same, 'trouble'))).toEqual(['a', 'b', 'c']);
    const sent = [calm, failed];
    ranked(sent, 'trouble');
    expect(names(sent)).toEqual(['calm', 'error']);
  });

  test('a conversation in which nobody has spoken waits for no answer', () => {
    expect(isUnanswered(value('empty', { user: 0, avatar: 0 }))).toBe(false);
    expect(isUnanswered(silent)).toBe(true);
  });
});

describe('rankedPage', () => {
  /** @returns a list of pages, and how many of them were requested */
  function listOf(pages: readonly (readonly Value[])[]) {
    const seen = { requests: 1 };
    const pageAt = (at: number): AnyPage<Conversation> => ({
      items: pages[at] ?? [],
      hasNextPage: () => at + 1 < pages.length,
      async nextPage() {
        if (at + 1 >= pages.length) return undefined;
        seen.requests += 1;
        return pageAt(at + 1);
      },
    });
    return { first: pageAt(0), seen };
  }
  const { signal } = new AbortController();

  test('puts a whole list in order', async () => {
    const { first } = listOf([[value('1', { user: 1 })], [value('2', { user: 2 })]]);
    const page = await rankedPage(first, 'messages', signal);
    expect(page.items.map(({ id }) => id)).toEqual(['2', '1']);
    expect(page.hasNextPage()).toBe(false);
    expect(await page.nextPage()).toBeUndefined();
  });

  test('stops at a bounded count; the next page has the rest, in its own order', async () => {
    const pages = Array.from({ length: 7 }, (_, at) =>
      Array.from({ length: 100 }, (_, index) => value(`${at}-${index}`, { user: at * 100 + index })),
    );
    const { first, seen } = listOf(pages);
    const page = await rankedPage(first, 'messages', signal);
    expect(page.items).toHaveLength(rankedCount);
    expect(page.items[0]?.id).toBe('4-99');
    expect(seen.requests).toBe(5);
    expect(page.hasNextPage()).toBe(true);
    const next = await page.nextPage();
    expect(next?.items).toHaveLength(200);
    expect(next?.items[0]?.id).toBe('6-99');
    expect(next?.hasNextPage()).toBe(false);
  });

  test('a list of pages without items is read in parts, too', async () => {
    const { first, seen } = listOf(Array.from({ length: 50 }, () => []));
    const page = await rankedPage(first, 'trouble', signal);
    expect(seen.requests).toBe(20);
    expect(page.hasNextPage()).toBe(true);
  });

  test('ends early when its result is not needed', async () => {
    const ended = new AbortController();
    ended.abort();
    const { first, seen } = listOf([[value('1', {})], [value('2', {})]]);
    await rankedPage(first, 'trouble', ended.signal);
    expect(seen.requests).toBe(1);
  });
});
