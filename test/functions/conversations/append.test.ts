import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

const documentId = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const say = (text: string, more: Json = {}) => ({ role: 'user', text, ...more });

async function openConversation() {
  const api = await openApi();
  const path = await api.createConversation();
  const append = (...messages: Json[]) => api.call('POST', `${path}/messages`, { body: { messages } });
  const transcript = async () => (await api.call('GET', `${path}/transcript?limit=100`)).data.messages;
  return { ...api, path, append, transcript };
}

/** 20 pairs of 8 KB together. */
const largestMetadata = Object.fromEntries([
  ['first'.padEnd(40, '-'), 'é'.repeat(1000)],
  ...Array.from({ length: 18 }, (_, n) => [`${n}`.padEnd(40, '-'), 'x'.repeat(200)]),
  ['last'.padEnd(40, '-'), 'x'.repeat(1792)],
]);

const without = (messages: unknown) => (messages as Json[]).map(({ duplicate: _, ...message }) => message);
const flags = (messages: unknown) => (messages as Json[]).map(({ seq, duplicate }) => [seq, duplicate]);

describe('conversations.append', () => {
  responds(201, 'with the stored messages, numbered after the existing ones', async () => {
    const { append, transcript } = await openConversation();
    await append(say('one'));
    const citations = [{ documentId }, { documentId, title: 'Returns', snippet: 'Within 30 days', page: 12 }];
    const at = '2026-03-01T09:30:00+01:00';
    const metadata = { toolCallId: 'call_1', empty: '', toString: '😀' };
    const response = await append(
      { role: 'avatar', text: 'two', at, clientMessageId: 'm-2', citations, metadata },
      { role: 'tool', text: '\u0000 {"json": "é🙂"}\n' },
    );
    const [second, third] = response.data.messages as Json[];
    expect(second).toEqual({
      id: expect.stringMatching(/^msg_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      seq: 2,
      role: 'avatar',
      text: 'two',
      at: '2026-03-01T08:30:00.000Z',
      clientMessageId: 'm-2',
      citations: [{ documentId, title: null, snippet: null, page: null }, citations[1]],
      metadata,
      createdAt: second?.createdAt,
      duplicate: false,
    });
    expect(third).toMatchObject({
      seq: 3,
      at: third?.createdAt,
      clientMessageId: null,
      citations: [],
      metadata: {},
    });
    expect(((await transcript()) as Json[]).slice(1)).toEqual(without(response.data.messages));
    return response;
  });

  responds(201, 'for messages at every limit', async () => {
    const { append, transcript } = await openConversation();
    const largest = say('é'.repeat(8192), {
      clientMessageId: '🙂'.repeat(255),
      citations: Array.from({ length: 20 }, () => ({
        documentId,
        title: 'é'.repeat(200),
        snippet: 'é'.repeat(500),
      })),
      metadata: largestMetadata,
    });
    expect((await append(largest)).data.messages).toMatchObject([{ metadata: largestMetadata }]);
    expect(await transcript()).toMatchObject([{ metadata: largestMetadata }]);
    return append(...Array.from({ length: 25 }, (_, n) => say('x', { clientMessageId: `m-${n}` })));
  });

  responds(
    201,
    'with the stored message for a clientMessageId that is known, and nothing added',
    async () => {
      const { append, transcript } = await openConversation();
      const first = await append(
        say('one', { clientMessageId: 'm-1' }),
        say('two', { clientMessageId: 'm-2' }),
      );
      const before = await transcript();
      const response = await append(
        say('two', { clientMessageId: 'm-2', at: '2026-03-01T09:30:00Z' }),
        say('three'),
      );
      expect(flags(response.data.messages)).toEqual([
        [2, true],
        [3, false],
      ]);
      expect(without(response.data.messages)[0]).toEqual(without(first.data.messages)[1]);
      expect(((await transcript()) as Json[]).slice(0, 2)).toEqual(before);
      return response;
    },
  );

  responds(201, 'stores a message that is twice in a request once', async () => {
    const { append, transcript } = await openConversation();
    const response = await append(
      say('one', { clientMessageId: 'm' }),
      say('two'),
      say('one', { clientMessageId: 'm' }),
    );
    expect(flags(response.data.messages)).toEqual([
      [1, false],
      [2, false],
      [1, true],
    ]);
    expect(await transcript()).toHaveLength(2);
    return response;
  });

  responds(201, 'for only duplicates, even after the end', async () => {
    const { append, call, path } = await openConversation();
    const first = await append(
      say('one', { clientMessageId: 'm-1' }),
      say('two', { clientMessageId: 'm-2' }),
    );
    await call('POST', `${path}/end`, { body: { reason: 'completed' } });
    const response = await append(
      say('one', { clientMessageId: 'm-1' }),
      say('two', { clientMessageId: 'm-2' }),
    );
    expect(flags(response.data.messages)).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(without(response.data.messages)).toEqual(without(first.data.messages));
    return response;
  });

  test('a clientMessageId is unique only in its conversation', async () => {
    const { append, createConversation, call, path } = await openConversation();
    await append(say('one', { clientMessageId: 'm' }));
    const other = await createConversation({}, path.split('/')[2]);
    const body = { messages: [say('another', { clientMessageId: 'm' })] };
    expect(flags((await call('POST', `${other}/messages`, { body })).data.messages)).toEqual([[1, false]]);
  });

  refuses('conversation_ended', 'a new message after the end; none of the request is stored', async () => {
    const { append, call, path, transcript } = await openConversation();
    await append(say('one', { clientMessageId: 'm' }));
    await call('POST', `${path}/end`, { body: { reason: 'completed' } });
    const response = await append(say('one', { clientMessageId: 'm' }), say('new'));
    expect(await transcript()).toHaveLength(1);
    return response;
  });

  refuses('conversation_ended', 'a conversation that has timed out', async () => {
    const { append, advance } = await openConversation();
    advance(30 * minuteMs);
    return append(say('late'));
  });

  refuses('not_found', 'an erased conversation, even for duplicates', async () => {
    const { append, call, path } = await openConversation();
    await append(say('one', { clientMessageId: 'm' }));
    await call('DELETE', path);
    return append(say('one', { clientMessageId: 'm' }));
  });

  test('a citation may have the piece and its part; without them, it is stored as before', async () => {
    const { append, transcript } = await openConversation();
    const cited = { documentId, title: null, snippet: 'sold', page: null };
    const piece = { ...cited, pieceId: `${documentId}.3`, span: { start: 4, end: 8 } };
    const sent = say('one', {
      role: 'avatar',
      clientMessageId: 'm',
      citations: [piece, { ...cited, pieceId: null, span: null }],
    });
    for (const duplicate of [false, true])
      expect((await append(sent)).data.messages).toEqual([
        expect.objectContaining({ citations: [piece, cited], duplicate }),
      ]);
    expect(await transcript()).toEqual([expect.objectContaining({ citations: [piece, cited] })]);
    const reversed = { ...piece, span: { start: 8, end: 4 } };
    expect((await append(say('two', { citations: [reversed] }))).error.details).toEqual([
      { path: 'messages.0.citations.0.span', message: 'must not end before it starts' },
    ]);
  });

  test.each([
    ['text', say('other', { clientMessageId: 'm' })],
    ['role', { ...say('one', { clientMessageId: 'm' }), role: 'avatar' }],
    ['citations', say('one', { clientMessageId: 'm', citations: [{ documentId }] })],
    ['metadata', say('one', { clientMessageId: 'm', metadata: { a: 'b' } })],
  ])('400 validation_error: a known clientMessageId with another %s', async (_, message) => {
    const { append, transcript } = await openConversation();
    const before = say('one', { clientMessageId: 'm' });
    const path = 'messages.1.clientMessageId';
    expect((await append(before, message)).error.details?.map((detail) => detail.path)).toEqual([path]);
    await append(before);
    expect((await append(say('new'), message)).error.details?.map((detail) => detail.path)).toEqual([path]);
    expect(await transcript()).toHaveLength(1);
  });

  test.each([
    ['none', [], 'messages'],
    ['26', Array.from({ length: 26 }, () => say('x')), 'messages'],
    ['an empty text', [say('')], 'messages.0.text'],
    ['a text of 16 KB and a byte', [say('x'), say(`x${'é'.repeat(8192)}`)], 'messages.1.text'],
    ['half a character', [say('\ud83d')], 'messages.0.text'],
    ['another role', [{ role: 'assistant', text: 'x' }], 'messages.0.role'],
    ['a time in 6 minutes', [say('x', { at: new Date(Date.now() + 6 * minuteMs) })], 'messages.0.at'],
    ['an empty clientMessageId', [say('x', { clientMessageId: '' })], 'messages.0.clientMessageId'],
    [
      'a long clientMessageId',
      [say('x', { clientMessageId: 'm'.repeat(256) })],
      'messages.0.clientMessageId',
    ],
    [
      'a snippet of 501 characters',
      [say('x', { citations: [{ documentId, snippet: 'x'.repeat(501) }] })],
      'messages.0.citations.0.snippet',
    ],
    [
      '21 citations',
      [say('x', { citations: Array.from({ length: 21 }, () => ({ documentId })) })],
      'messages.0.citations',
    ],
    [
      '21 pairs of metadata',
      [say('x', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`${n}`, ''])) })],
      'messages.0.metadata',
    ],
    [
      'metadata of 8 KB and a byte',
      [say('x', { metadata: { ...largestMetadata, ['first'.padEnd(40, '-')]: `x${'é'.repeat(1000)}` } })],
      'messages.0.metadata',
    ],
    [
      'a value of 2,001 characters',
      [say('x', { metadata: { a: 'x'.repeat(2001) } })],
      'messages.0.metadata.a',
    ],
    ['a number as metadata', [say('x', { metadata: { a: 1 } })], 'messages.0.metadata.a'],
    ['a seq', [say('x', { seq: 1 })], 'messages.0.seq'],
  ])('400 validation_error: %s', async (_, messages, path) => {
    const { append } = await openConversation();
    expect((await append(...messages)).error.details?.map((detail) => detail.path)).toEqual([path]);
  });
});
