import { describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/base/time.ts';
import type { Json } from '../../../samples/api.ts';
import { openSearch } from '../../support/conversation-search.ts';
import { responds } from '../../support/responses.ts';

describe('conversations.search', () => {
  responds(200, 'with the messages and the offsets of the matches', async () => {
    const { call, say, search, index } = await openSearch();
    const path = await say(['Hello.', 'Où est ma\ncommande 👍?']);
    await index();
    const response = await search({ q: 'OU 👍 "ma commande"' });
    const { data } = await call('GET', `${path}/transcript`);
    const [, message] = data.messages as Json[];
    expect(response.data).toEqual({
      items: [
        {
          conversationId: path.split('/').at(-1),
          messageId: message?.id,
          seq: 2,
          role: 'user',
          at: message?.at,
          snippet: 'Où est ma commande 👍?',
          matches: [
            { start: 0, end: 2 },
            { start: 7, end: 18 },
            // Two UTF-16 code units.
            { start: 19, end: 21 },
          ],
        },
      ],
      nextCursor: null,
      indexedThrough: message?.createdAt,
    });
    return response;
  });

  test('hideTools=true leaves out the messages of tools, on every page', async () => {
    const { call, createConversation, project, search, pages, index } = await openSearch();
    const path = await createConversation({}, project);
    const roles = ['user', 'tool', 'avatar', 'system', 'tool', 'tool', 'user'];
    const messages = roles.map((role, n) => ({ role, text: `order ${n}` }));
    expect((await call('POST', `${path}/messages`, { body: { messages } })).status).toBe(201);
    await index();
    const found = async (query: Record<string, string>) =>
      (await pages({ q: 'order', ...query })).flat().map(({ seq }) => seq);
    expect(await found({ hideTools: 'true', limit: '2' })).toEqual([7, 4, 3, 1]);
    expect(await found({ hideTools: 'false' })).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await found({})).toEqual([7, 6, 5, 4, 3, 2, 1]);
    const { error } = await search({ q: 'order', hideTools: 'yes' });
    expect(error.details?.map((detail) => detail.path)).toEqual(['hideTools']);
  });

  test('finds words in any encoding, and returns them unchanged', async () => {
    const { say, pages, index } = await openSearch();
    const said = ['これはペンです'.normalize('NFD'), 'これはﾍﾟﾝです'];
    await say(said);
    await index();
    for (const q of ['これはペンです', said[0] ?? '', '"ペンです"']) {
      const found = (await pages({ q })).flat();
      expect(found.map(({ snippet }) => snippet)).toEqual(said.toReversed());
    }
    const [half, decomposed] = (await pages({ q: 'ペン' })).flat();
    expect(half?.matches).toEqual([{ start: 3, end: 6 }]);
    expect(decomposed?.matches).toEqual([{ start: 3, end: 6 }]);
  });

  test('sorts by conversation, newest first, and then by message, latest first', {
    tags: ['long'],
  }, async () => {
    const { say, snippets, pages, index } = await openSearch();
    await say(['word b1', 'other', 'word b2'], { startedAt: '2026-03-02T00:00:00Z' });
    await say(['word a1', 'word a2'], { startedAt: '2026-03-01T00:00:00Z' });
    await say(['word c1']);
    await index();
    const all = ['word c1', 'word b2', 'word b1', 'word a2', 'word a1'];
    expect(await snippets('word')).toEqual(all);
    expect(await snippets('word', { startedAfter: '2026-03-01T00:00:00Z' })).toEqual(all.slice(0, 3));
    expect(await snippets('word', { startedFrom: '2026-03-01T00:00:00Z' })).toEqual(all);
    expect(await snippets('word', { startedFrom: '2026-03-01T00:00:00.001Z' })).toEqual(all.slice(0, 3));
    expect(await snippets('word', { startedBefore: '2026-03-02T00:00:00Z' })).toEqual(all.slice(3));
    const sizes = async (limit: string) => (await pages({ q: 'word', limit })).map(({ length }) => length);
    expect(await sizes('1')).toEqual([1, 1, 1, 1, 1]);
    expect(await sizes('2')).toEqual([2, 2, 1]);
    expect(await sizes('5')).toEqual([5]);
  });

  test('indexedThrough is null before the first message is indexed', async () => {
    const { say, search, index } = await openSearch();
    await say(['word']);
    expect((await search({ q: 'word' })).data).toEqual({ items: [], nextCursor: null, indexedThrough: null });
    await index();
    expect((await search({ q: 'word' })).data.items).toHaveLength(1);
  });

  test('does not find an erased conversation from the response on', async () => {
    const { call, say, snippets, index } = await openSearch();
    const path = await say(['word one']);
    await say(['word two']);
    await index();
    expect(await snippets('word')).toHaveLength(2);
    await call('DELETE', path);
    expect(await snippets('word')).toEqual(['word two']);
  });

  test('does not find an expired conversation', async () => {
    const { call, project, say, snippets, advance, index } = await openSearch();
    await say(['word old']);
    advance(2 * dayMs);
    await say(['word new']);
    await index();
    await call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 1 } } });
    expect(await snippets('word')).toEqual(['word new']);
  });

  test('filters by the current status and tags', async () => {
    const { call, say, snippets, advance, index } = await openSearch(undefined, {
      conversationTimeoutMinutes: 5,
    });
    const old = await say(['word old'], { tags: ['a'] });
    await index();
    expect(await snippets('word', { status: 'active', tag: 'a' })).toEqual(['word old']);
    await call('PATCH', old, { body: { tags: ['b'] } });
    advance(5 * minuteMs);
    expect(await snippets('word', { status: 'active' })).toEqual([]);
    expect(await snippets('word', { status: 'ended', tag: 'b' })).toEqual(['word old']);
    expect(await snippets('word', { tag: 'a' })).toEqual([]);
  });

  test("does not find another project's or another organisation's messages", async () => {
    const here = await openSearch();
    const other = await openSearch();
    const second = await here.createProject();
    await here.say(['word here']);
    const beside = await here.createConversation({}, second);
    await here.append(beside, ['word beside']);
    await other.say(['word elsewhere']);
    await Promise.all([here.index(), other.index(), here.indexMessages(second)]);
    expect(await here.snippets('word')).toEqual(['word here']);
    expect(await other.snippets('word')).toEqual(['word elsewhere']);
    const { data } = await here.call('GET', `/projects/${second}/conversations/search?q=word`);
    expect(data.items).toHaveLength(1);
  });

  test('a cursor works only with its words, filters and project', async () => {
    const { call, createProject, say, search, index } = await openSearch();
    await say(['one word', 'two words, one word', 'one word more'], { channel: 'web' });
    await index();
    const { data } = await search({ q: 'one word', limit: '1' });
    const cursor = data.nextCursor as string;
    const other = `/projects/${await createProject()}/conversations/search?q=one+word&cursor=${cursor}`;
    const refused = [
      await search({ q: 'one', cursor }),
      await search({ q: '"one word"', cursor }),
      await search({ q: 'one word', channel: 'web', cursor }),
      await call('GET', other),
    ];
    for (const { error } of refused) expect(error.details?.map(({ path }) => path)).toEqual(['cursor']);
    for (const query of [{ q: 'one word' }, { q: 'ONE  wörd', limit: '2' }]) {
      expect((await search({ ...query, cursor })).status).toBe(200);
    }
  });

  test.each([
    ['q', {}],
    ['q', { q: '' }],
    ['q', { q: '?! ""' }],
    ['q', { q: 'a'.repeat(501) }],
    ['status', { q: 'a', status: 'timeout' }],
    ['avatarId', { q: 'a', avatarId: 'x' }],
    ['order', { q: 'a', order: 'oldest' }],
    ['cursor', { q: 'a', cursor: 'x' }],
  ])('400 validation_error: %s, %j', async (path, query) => {
    const { search } = await openSearch();
    const { status, error } = await search(query);
    expect(status).toBe(400);
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  });

  test('a message must contain all words, however many', async () => {
    const { say, snippets, index } = await openSearch();
    const sentence = '我昨天在北京的商店买了一部新手机但是它坏了';
    const letters = [...'abcdefghijklmnopqrstuvwxyz'].join(' ');
    await say([sentence, `${sentence.slice(0, -4)}很好`, letters, letters.replace('m ', ''), 'rare']);
    await index();
    expect(await snippets(sentence)).toEqual([sentence]);
    expect(await snippets(letters)).toEqual([letters]);
    expect(await snippets(`"${letters}"`)).toEqual([letters]);
    expect(await snippets(`${letters} rare`)).toEqual([]);
  });

  test('searches a long message up to its 500th different word', { tags: ['long'] }, async () => {
    const { say, snippets, postings, index } = await openSearch();
    const words = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => `w${from + n}`).join(' ');
    const whole = `${words(0, 500)} again w7 ${words(501, 2000)}`;
    await say([words(0, 500).replace('w499', 'w498 w499 w0'), whole, 'w7']);
    await index();
    const entries = (await postings()).flatMap(({ seqs }) => [...(seqs as Set<number>)]);
    expect(entries).toHaveLength(500 + 500 + 1);
    expect(await snippets('w499')).toHaveLength(2);
    expect(await snippets('"w499 w0"')).toHaveLength(1);
    expect(await snippets('w7')).toHaveLength(3);
    expect(await snippets('w501')).toEqual([]);
    expect(await snippets('again')).toEqual([]);
    expect(await snippets('"again w7"')).toEqual([]);
  });
});
