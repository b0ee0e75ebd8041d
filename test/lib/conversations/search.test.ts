/** The search over messages finds what a plain scan finds, and its index survives lost calls and repeated records. */

import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { fillMessages } from '../../../bench/fill.ts';
import { type Json, storedOf } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import messageIndexer from '../../../workers/message-indexer.ts';
import { openSearch } from '../../support/conversation-search.ts';
import { intercept } from '../../support/faults.ts';
import { deliver, follow } from '../../support/workers.ts';

type Search = Awaited<ReturnType<typeof openSearch>>;

describe('the search finds what a plain scan finds', () => {
  const value = <Value>(...values: Value[]) => fc.constantFrom(...values);
  const spaced = [
    ...[
      'Order',
      'ÓRDER',
      'order',
      'café',
      'CAFE',
      'cafe\u0301',
      'straße',
      'STRASSE',
      'the',
      'a',
      '4711',
      '４７１１',
    ],
    ...['ΟΔΟΣ', 'οδός', 'Заказ', 'заказ', 'ёлка', 'كِتَابٌ', 'كتاب', 'طلب', 'किताब', '주문'],
  ];
  const joined = [
    '東京都に住む',
    '注文',
    '配送',
    'パソコン',
    'これはペンです'.normalize('NFD'),
    '我昨天在北京的商店买了一部新手机但是它坏了',
    'ﾊﾟｿｺﾝ',
    'สวัสดีครับ',
    'คำสั่งซื้อ',
    '👍',
    '👍🏽',
    '❤️',
    '❤',
    '👨‍👩‍👧',
    '🇩🇪',
  ];
  const token = fc.oneof(value(...spaced), value(...joined));
  const text = fc
    .array(fc.tuple(token, value(' ', ', ', '\n', '. ')), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.flat().join(''));

  /** Words according to UAX #29, compared without case, accents and width. */
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  const wordsOf = (said: string) =>
    [...segmenter.segment(said.normalize('NFC'))]
      .filter(({ segment, isWordLike }) => isWordLike || /\p{Extended_Pictographic}|\p{RI}/u.test(segment))
      .map(({ segment }) =>
        segment
          .normalize('NFKD')
          .replace(/[\u0300-\u036f\u064b-\u065f]|\ufe0f/g, '')
          .normalize('NFKC')
          .toLowerCase()
          .replaceAll('ß', 'ss'),
      );

  type Part = { words: string; quoted: boolean };
  const has = (said: string, parts: readonly Part[]) => {
    const words = wordsOf(said);
    const line = ` ${words.join(' ')} `;
    return parts.every(({ words: wanted, quoted }) =>
      quoted
        ? line.includes(` ${wordsOf(wanted).join(' ')} `)
        : wordsOf(wanted).every((word) => words.includes(word)),
    );
  };

  const conversation = fc.record({
    externalUserId: value(null, 'u1', 'u2'),
    channel: value(null, 'web', 'phone'),
    tags: value([], ['x'], ['x', 'y']),
    ended: fc.boolean(),
    texts: fc.array(text, { minLength: 1, maxLength: 12 }),
  });
  const anyFilters = fc.record(
    {
      externalUserId: value('u1', 'u2'),
      channel: value('web', 'phone', 'fax'),
      tag: value('x', 'y'),
      status: value('active', 'ended'),
      startedAfter: fc.nat(12).map(day),
      startedBefore: fc.nat(12).map(day),
    },
    { requiredKeys: [] },
  );
  // All filters together match almost nothing.
  const filters = fc
    .tuple(anyFilters, fc.nat(8))
    .map(([some, count]) => Object.fromEntries(Object.entries(some).slice(0, count >> 2)) as typeof some);
  function day(n: number) {
    return `2026-03-${String(n + 1).padStart(2, '0')}T00:00:00.000Z`;
  }

  const isFound = async (seed: number, numRuns = 150) => {
    const api = await openSearch();
    const all: (Json & { said: string })[] = [];
    // One has several blocks of messages.
    const long = { externalUserId: 'u1', channel: null, tags: ['x'], ended: false };
    const stored = [
      ...fc.sample(conversation, { numRuns: 16, seed }),
      { ...long, texts: fc.sample(text, { numRuns: 70, seed }) },
    ];
    for (const [n, { ended, texts, ...body }] of stored.entries()) {
      const startedAt = day(n >> 1);
      const path = await api.say(texts, { ...body, startedAt });
      if (ended) await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
      const status = ended ? 'ended' : 'active';
      for (const [index, said] of texts.entries()) {
        all.push({ ...body, startedAt, status, place: `${path.split('/').at(-1)}/${1000 + index}`, said });
      }
    }
    await api.index();
    all.sort((a, b) => ((a.place as string) < (b.place as string) ? 1 : -1));

    // Mostly words of a stored message, otherwise words that may be in none.
    const part = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(value(...all), fc.nat(20), fc.integer({ min: 1, max: 3 })) },
      { weight: 1, arbitrary: token },
    );
    const parts = fc
      .array(fc.tuple(part, fc.boolean()), { minLength: 1, maxLength: 3, size: '-1' })
      .map((some) =>
        some.map(([one, quoted]): Part => {
          if (typeof one === 'string') return { words: one, quoted };
          const [{ said }, from, count] = one;
          const pieces = said.split(/[\s,.]+/).filter(Boolean);
          const start = from % pieces.length;
          return { words: pieces.slice(start, start + count).join(' '), quoted };
        }),
      );
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(parts, filters, value(1, 2, 3, 7, 100), async (query, chosen, limit) => {
        const q = query.map(({ words, quoted }) => (quoted ? `"${words}"` : words)).join(' ');
        fc.pre(wordsOf(q).length <= 10);
        const { tag, startedAfter, startedBefore, ...equal } = chosen;
        const wanted = all
          .filter(({ said }) => has(said, query))
          .filter((one) => Object.entries(equal).every(([name, is]) => one[name] === is))
          .filter(({ tags }) => tag === undefined || (tags as string[]).includes(tag))
          .filter(({ startedAt }) => startedAfter === undefined || (startedAt as string) > startedAfter)
          .filter(({ startedAt }) => startedBefore === undefined || (startedAt as string) < startedBefore)
          .map(({ place }) => place);
        const found = await api.pages({ q, ...(chosen as Record<string, string>), limit: String(limit) });
        expect(found.flat().map(({ conversationId, seq }) => `${conversationId}/${999 + seq}`)).toEqual(
          wanted,
        );
        for (const page of found.slice(0, -1)) expect(page).toHaveLength(limit);
        hits += wanted.length;
        for (const { snippet, matches } of found.flat()) {
          expect(matches.length).toBeGreaterThan(0);
          const wantedWords = wordsOf(q);
          for (const { start, end } of matches) {
            for (const word of wordsOf(snippet.slice(start, end))) expect(wantedWords).toContain(word);
          }
        }
      }),
      { numRuns, seed },
    );
    // If the scan found nothing, the test would prove nothing.
    expect(hits).toBeGreaterThan(numRuns);
  };

  test('corpus 1', { tags: ['long'] }, () => isFound(1, 12));
  test('corpus 1: more queries', { tags: ['nightly'] }, () => isFound(1, 40));
  test.each([2, 3])('corpus %i', { tags: ['nightly'] }, (seed) => isFound(seed));
});

describe('the index', () => {
  const words = (count: number, prefix = 'w') =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`).join(' ');
  /** @returns the terms of each message that is in postings */
  const indexed = async ({ postings }: Search) => {
    const places = (await postings()).flatMap(({ tenant, id, seqs }) =>
      [...(seqs as Set<number>)].map((seq) => ({
        place: `${id} ${seq}`,
        term: `${tenant}`.split('#').at(-1),
      })),
    );
    const byPlace = Map.groupBy(places, ({ place }) => place);
    const terms = [...byPlace.values()].map((some) =>
      some
        .map(({ term }) => term)
        .sort()
        .join(' '),
    );
    return terms.sort();
  };
  const sorted = (text: string) => text.split(' ').sort().join(' ');
  const messagesOf = async (api: Search) =>
    (await storedOf(api, 'messages')).filter(({ text }) => text !== undefined);

  test('holds each word of each message once, with the TTL of the message', async () => {
    const api = await openSearch(undefined, { retentionDays: 10 });
    await api.say(['b a B', 'c']);
    await api.index();
    await api.index();
    expect(await indexed(api)).toEqual(['a b', 'c']);
    const [message] = await messagesOf(api);
    expect(new Set((await api.postings()).map(({ ttl }) => ttl))).toEqual(new Set([message?.ttl]));
  });

  // Five calls that read, and open the first generation; 60 postings; the tombstone again; the progress.
  const lostAt = async (nth: number) => {
    for (const isSent of [false, true]) {
      let calls = Number.NEGATIVE_INFINITY;
      const lost = new Error('no answer');
      const api = await openSearch(({ client }) => ({
        client: intercept(client, (_, proceed) => {
          calls += 1;
          if (calls !== nth) return undefined;
          return isSent ? proceed().then(() => Promise.reject(lost)) : Promise.reject(lost);
        }),
      }));
      await api.say([words(60)]);
      const [message] = await messagesOf(api);
      const work = () => deliver(api, messageIndexer, [changeRecord(undefined, message)]);
      calls = 0;
      await expect(work()).rejects.toThrow('no answer');
      await work();
      await work();
      calls = Number.NEGATIVE_INFINITY;
      expect(await indexed(api)).toEqual([sorted(words(60))]);
      expect((await api.search({ q: 'w59' })).data.indexedThrough).toBe(message?.createdAt);
    }
  };
  const isComplete = 'is complete after call %i or its response was lost and the record came again';
  test.each([5, 40, 66])(isComplete, lostAt);
  test.each([1, 2, 3, 4, 6, 65, 67])(isComplete, { tags: ['long'] }, lostAt);

  test('retries what DynamoDB throttles', async () => {
    let left = 3;
    const throttled = Object.assign(new Error('throttled'), { name: 'ThrottlingException' });
    const api = await openSearch(({ client }) => ({
      sleep: async () => {},
      client: intercept(client, (command) => {
        const isThrottled =
          command instanceof UpdateCommand && JSON.stringify(command.input).includes('#term#');
        return isThrottled && left-- > 0 ? Promise.reject(throttled) : undefined;
      }),
    }));
    await api.say([words(10)]);
    await api.index();
    expect(await indexed(api)).toEqual([sorted(words(10))]);
    left = Number.POSITIVE_INFINITY;
    await api.say(['more']);
    await expect(api.index()).rejects.toThrow();
    expect(api.faultLines().at(-1)?.fault).toMatchObject({ name: 'ThrottlingException' });
  });

  test('follows a change of the TTL, and does nothing when text and TTL are the same', async () => {
    const commands: string[] = [];
    const api = await openSearch(({ client }) => ({
      client: intercept(client, ({ constructor: { name } }) => void commands.push(name)),
    }));
    await api.say(['a b c']);
    await api.index();
    const [message] = await messagesOf(api);
    commands.length = 0;
    await deliver(api, messageIndexer, [changeRecord(message, { ...message, changedIn: 'evt_1' })]);
    expect(commands).toEqual([]);
    const TableName = api.runtime.tableNames.messages;
    await api.runtime.client.send(new PutCommand({ TableName, Item: { ...message, ttl: 9e9 } }));
    await deliver(api, messageIndexer, [changeRecord(message, { ...message, ttl: 9e9 })]);
    expect((await api.postings()).map(({ ttl }) => ttl)).toEqual([9e9, 9e9, 9e9]);
  });

  test('writes nothing when TTL removes a message; TTL also removes its index entries', async () => {
    const commands: string[] = [];
    const api = await openSearch(
      ({ client }) => ({
        client: intercept(client, ({ constructor: { name } }) => void commands.push(name)),
      }),
      { retentionDays: 1 },
    );
    await api.say(['a b']);
    const [message] = await messagesOf(api);
    commands.length = 0;
    const past = { ...message, ttl: Math.floor(Date.now() / 1000) - 1 };
    await deliver(api, messageIndexer, [changeRecord(past, undefined)]);
    expect(commands).toEqual([]);
  });

  test('its progress never goes back', async () => {
    const api = await openSearch();
    await api.say(['one']);
    api.advance(1000);
    await api.say(['two']);
    const [one, two] = (await messagesOf(api)).toSorted((a, b) =>
      (a.text as string) < (b.text as string) ? -1 : 1,
    );
    for (const message of [two, one]) {
      await deliver(api, messageIndexer, [changeRecord(undefined, message)]);
      expect((await api.search({ q: 'one' })).data.indexedThrough).toBe(two?.createdAt);
    }
  });

  test("contains none of the clients' ids", async () => {
    const api = await openSearch();
    const path = await api.say([]).catch(() => api.createConversation({}, api.project));
    const messages = [{ role: 'user', text: 'word', clientMessageId: 'm-1' }];
    await api.call('POST', `${path}/messages`, { body: { messages } });
    await api.index();
    expect(await indexed(api)).toEqual(['word']);
  });
});

describe('through the change feed', () => {
  const opened: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ stop }) => stop()));
  });

  test('a stored message is found, and an erased message leaves no entry', async () => {
    const api = await openSearch();
    const followers = await follow(api, [messageIndexer, conversationEraser]);
    opened.push(followers);
    const path = await api.say(['word one', 'word two']);
    await api.say(['word three']);
    await followers.settled();
    expect((await api.snippets('word')).toSorted()).toEqual(['word one', 'word three', 'word two']);
    await api.call('DELETE', path);
    const conversation = path.split('/').at(-1) ?? '';
    await followers.settled();
    expect((await api.postings()).every(({ id }) => !(id as string).includes(conversation))).toBe(true);
    expect(await api.postings()).toHaveLength(2);
  });
});

test('a search costs what it returns, not what is stored', { tags: ['nightly'] }, async () => {
  const api = await openSearch();
  // Every message has "the", half of them "even", one in 2500 "rare", with "phrase" right after it or far from it.
  const textOf = (n: number) =>
    `the ${n % 2 ? 'odd' : 'even'} number${n % 2500 ? '' : n % 5000 ? ' rare then phrase' : ' rare phrase'}`;
  const fill = (from: number, to: number) =>
    fillMessages(api.runtime, {
      tenant: `${api.organisationId}#live`,
      project: api.project,
      from,
      to,
      textOf,
    });
  await fill(0, 10_000);
  const cost = async (query: Record<string, string>) => {
    const { status, text, data } = await api.search(query);
    expect(status, text).toBe(200);
    const { readUnits, roundTrips } = api.requestLines().at(-1) ?? { readUnits: 0, roundTrips: 0 };
    return { count: (data.items as Json[]).length, ended: data.nextCursor === null, readUnits, roundTrips };
  };
  // The key, its organisation, the project and the progress of the index, then four positions, and four messages in four conversations.
  expect(await cost({ q: 'rare' })).toEqual({ count: 4, ended: true, readUnits: 13, roundTrips: 3 });
  const withCommon = await cost({ q: 'the rare' });
  expect(withCommon).toMatchObject({ count: 4, ended: true });
  expect(withCommon.readUnits).toBeLessThan(30);
  expect(await cost({ q: '"rare phrase"' })).toMatchObject({ count: 2, ended: true });
  expect(await cost({ q: 'absent the' })).toMatchObject({ count: 0, ended: true });
  const common = await cost({ q: 'the even' });
  expect(common).toMatchObject({ count: 25, ended: false });
  expect(common.readUnits).toBeLessThan(60);
  // One user of a hundred: the messages of the others are not read.
  const filtered = await cost({ q: 'the', externalUserId: 'u7' });
  expect(filtered).toMatchObject({ count: 25, ended: false });
  expect(filtered.readUnits).toBeLessThan(60);
  const sparse = await cost({ q: '"number even"' });
  expect(sparse).toMatchObject({ count: 0, ended: false });
  expect(sparse.readUnits).toBeLessThan(1100);
  expect((await api.snippets('the')).length).toBe(10_000);
});
