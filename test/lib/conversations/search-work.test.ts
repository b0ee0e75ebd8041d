/** The work of searching and indexing messages is limited. The tests count it, they do not time it. */

import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { fillMessages } from '../../../bench/fill.ts';
import { createWorkerHandler } from '../../../lib/workers/handler.ts';
import { storedOf } from '../../../samples/api.ts';
import { noticesOf, queueEvent } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import messageIndexer from '../../../workers/message-indexer.ts';
import { openSearch } from '../../support/conversation-search.ts';
import { intercept } from '../../support/faults.ts';
import { deliver } from '../../support/workers.ts';
import { worstTexts } from '../../support/worst-texts.ts';

const maxMessageBytes = 16 * 1024;
const manyMarks = `alpha x beta ${worstTexts(maxMessageBytes - 13)['marks on one letter, in the wrong order']}`;

async function openFilled(count: number, adjust?: Parameters<typeof openSearch>[0]) {
  const api = await openSearch(adjust);
  const tenant = `${api.organisationId}#live`;
  const textOf = (n: number) => (n === count - 1 ? 'alpha beta' : manyMarks);
  await fillMessages(api.runtime, { tenant, project: api.project, from: 0, to: count, textOf });
  return api;
}

describe('a phrase that almost none of many long messages contain', () => {
  const byteLength = vi.spyOn(Buffer, 'byteLength');
  afterAll(() => byteLength.mockRestore());
  /** The texts that were searched. The search counts their bytes first. */
  const looked = () => {
    const texts = byteLength.mock.calls
      .map(([text]) => text)
      .filter((text) => `${text}`.startsWith('alpha '));
    const bytes = texts.reduce((sum: number, text) => sum + (text as string).length, 0);
    byteLength.mockClear();
    return { texts: texts.length, bytes };
  };

  const calls = async (api: Awaited<ReturnType<typeof openSearch>>) => {
    const made: { bytes: number; texts: number; readUnits: number }[] = [];
    const found: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      looked();
      const { status, text, data } = await api.search({ q: '"alpha beta"', ...(cursor && { cursor }) });
      expect(status, text).toBe(200);
      made.push({ ...looked(), readUnits: api.requestLines().at(-1)?.readUnits ?? 0 });
      found.push(...(data.items as unknown[]));
      cursor = data.nextCursor as string | null;
    }
    return { made, found };
  };

  test('is searched for in at most 1 MB per call; the cursor continues', { tags: ['long'] }, async () => {
    const { made, found } = await calls(await openFilled(200));
    expect(found).toHaveLength(1);
    for (const { bytes, readUnits } of made) {
      // Combining marks have two bytes.
      expect(2 * bytes).toBeLessThanOrEqual(1024 * 1024 + maxMessageBytes + 2000);
      expect(readUnits).toBeLessThan(1500);
    }
    expect(made.length).toBeLessThanOrEqual(5);
    // No text is searched twice.
    expect(made.reduce((sum, { texts }) => sum + texts, 0)).toBe(200);
  });

  test('is searched for until the time limit, in at least one message', { tags: ['long'] }, async () => {
    let nowMs = 0;
    const api = await openFilled(6, () => ({ elapsedMs: () => (nowMs += 3000) }));
    const { made, found } = await calls(api);
    expect(found).toHaveLength(1);
    expect(made.length).toBeGreaterThan(2);
    for (const { texts } of made) expect(texts).toBeLessThan(3);
  });
});

describe('the longest possible query', () => {
  test('reads a limited number of entries, whatever its words', { tags: ['long'] }, async () => {
    const api = await openSearch();
    const letters = Array.from({ length: 250 }, (_, n) => (n + 36).toString(36))
      .join(' ')
      .slice(0, 490);
    await api.say(Array.from({ length: 20 }, (_, n) => `${letters} ${n}`));
    await api.index();
    const reads = vi.spyOn(api.runtime.client, 'send');
    for (const q of [letters, `"${letters}"`, `${letters} absent`]) {
      reads.mockClear();
      const { status, data } = await api.search({ q });
      expect(status).toBe(200);
      expect(data.items).toHaveLength(q.includes('absent') ? 0 : 20);
      expect(reads.mock.calls.length).toBeLessThan(40);
      expect(api.requestLines().at(-1)?.readUnits).toBeLessThan(100);
    }
  });
});

describe('indexing', () => {
  test('writes at most 500 entries for a message', { tags: ['long'] }, async () => {
    let most = 0;
    for (const text of Object.values(worstTexts(maxMessageBytes))) {
      let written = 0;
      const api = await openSearch(({ client }) => ({
        client: intercept(client, (command) => {
          const isEntry =
            command instanceof UpdateCommand && JSON.stringify(command.input).includes('#term#');
          if (!isEntry) return undefined;
          written += 1;
          return Promise.resolve({});
        }),
      }));
      const item = { tenant: `${api.organisationId}#live#proj_1#conv_1`, id: '0000000001', seq: 1, text };
      const Item = { ...item, createdAt: '2026-01-01T00:00:00.000Z' };
      await api.runtime.client.send(new PutCommand({ TableName: api.runtime.tableNames.messages, Item }));
      await deliver(api, messageIndexer, [changeRecord(undefined, Item)]);
      most = Math.max(most, written);
      expect(written).toBeLessThanOrEqual(500);
    }
    expect(most).toBeGreaterThan(100);
  });

  test('only a message whose writes fail comes again; all others are found', { tags: ['long'] }, async () => {
    const throttled = Object.assign(new Error('throttled'), { name: 'ThrottlingException' });
    const here = await openSearch(({ client }) => ({
      client: intercept(client, (command) => {
        const isPoison =
          command instanceof UpdateCommand && JSON.stringify(command.input).includes('#poison"');
        return isPoison ? Promise.reject(throttled) : undefined;
      }),
      sleep: async () => {},
    }));
    const other = await openSearch();
    await here.say(['word one', 'word poison', 'word three']);
    await other.say(['word four', 'word five']);
    const messages = async (api: typeof here) =>
      (await storedOf(api, 'messages')).filter(({ text }) => text !== undefined);
    const all = [...(await messages(here)), ...(await messages(other))].map((item, at) => ({ item, at }));
    for (const rotated of all.map((_, by) => [...all.slice(by), ...all.slice(0, by)])) {
      const records = rotated.map(({ item }, at) => changeRecord(undefined, item, String(at)));
      const notices = noticesOf(messageIndexer, records);
      const { batchItemFailures } = await createWorkerHandler(messageIndexer, here.runtime)(
        queueEvent(notices),
        {},
      );
      const lost = batchItemFailures.map(({ itemIdentifier }) => notices[Number(itemIdentifier)]?.id);
      expect(lost).toEqual([all.find(({ item }) => item.text === 'word poison')?.item.id]);
    }
    expect(await here.snippets('word')).toEqual(expect.arrayContaining(['word one', 'word three']));
    expect(await here.snippets('poison')).toEqual([]);
    expect((await other.snippets('word')).toSorted()).toEqual(['word five', 'word four']);
  });
});
