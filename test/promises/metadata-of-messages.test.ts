/**
 * The metadata of a message comes back everywhere as it was sent, also after an export and an import. Messages of earlier versions of the
 * service have none.
 */

import { expect, test } from 'vitest';
import { maxMessageMetadataBytes } from '../../lib/schema/metadata.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { copiedContent } from '../support/copied-content.ts';
import { exportNow, linesOf } from '../support/exports.ts';
import { importNow, textOf } from '../support/imports.ts';

/** Everything is in one part. */
const wholePart = { maxPartBytes: 1e7, maxParts: 100 };

const metadata = {
  toolCallId: 'call_1',
  empty: '',
  toString: 'own',
  constructor: '😀',
  'ä "b"': '\u0000\u2028',
};

/** 20 pairs, with the longest names and values. */
const largest = (() => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(40, 'n'));
  const values = [2000, 2000, 2000, ...names.slice(4).map(() => 80)];
  const rest = maxMessageMetadataBytes - 20 * 40 - values.reduce((sum, length) => sum + length, 0);
  return Object.fromEntries(names.map((name, index) => [name, 'x'.repeat([...values, rest][index] ?? 0)]));
})();

const open = async () => {
  const api = await openApi();
  const path = await api.createConversation();
  const append = (messages: readonly Json[], idempotencyKey?: string) =>
    api.call('POST', `${path}/messages`, { body: { messages }, ...(idempotencyKey && { idempotencyKey }) });
  return { api, path, append };
};

const transcript = async (api: TestApi, path: string) =>
  (await api.call('GET', `${path}/transcript`)).data.messages as Json[];

test('what was sent comes back in every response, in a replay, and in a file that is imported', async () => {
  const { api, path, append } = await open();
  const sent = [
    { role: 'tool', text: 'one', clientMessageId: 'm-1', metadata },
    { role: 'user', text: 'two', metadata: largest },
    { role: 'user', text: 'three' },
  ];
  const expected = [metadata, largest, {}];
  const metadataIn = (messages: unknown) => (messages as Json[]).map((message) => message.metadata);
  const first = await append(sent, 'once');
  expect(metadataIn(first.data.messages)).toEqual(expected);
  expect((await append(sent, 'once')).text).toBe(first.text);
  expect(metadataIn(await transcript(api, path))).toEqual(expected);
  const duplicate = await append(sent.slice(0, 1));
  expect(duplicate.data.messages).toMatchObject([{ duplicate: true, metadata }]);

  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  const [, , source = ''] = path.split('/');
  const lines = await linesOf(api, await exportNow(api, source, { what: 'conversations' }));
  expect(lines.flatMap(({ messages }) => metadataIn(messages))).toEqual(expected);
  const target = await api.createProject();
  for (const [created, unchanged] of [
    [1, 0],
    [0, 1],
  ]) {
    const job = await importNow(api, target, textOf(lines));
    expect(job.result).toEqual({ created, unchanged, failed: 0, errors: [] });
  }
  const copies = await linesOf(api, await exportNow(api, target, { what: 'conversations' }));
  expect(copies.flatMap(({ messages }) => metadataIn(messages))).toEqual(expected);

  // Another value is another message.
  const changed = textOf(lines).replace('call_1', 'call_2');
  const { result } = await importNow(api, target, changed);
  expect(result).toMatchObject({ created: 0, unchanged: 0, failed: 1 });
});

test('a message without metadata is stored as by earlier versions, and compared like theirs', async () => {
  const { api, path, append } = await open();
  const message = { role: 'user', text: 'hello', clientMessageId: 'm' };
  await append([message]);
  const stored = (await storedOf(api, 'messages')).filter(({ text }) => text === 'hello');
  expect(stored.flatMap(Object.keys)).not.toContain('metadata');
  expect(await transcript(api, path)).toMatchObject([{ metadata: {} }]);
  expect((await append([{ ...message, metadata: {} }])).data.messages).toMatchObject([{ duplicate: true }]);
  expect((await append([{ ...message, metadata: { a: '' } }])).status).toBe(400);
});

/** The largest message in UTF-8, as DynamoDB counts it. */
const largestMessage = (seq: number) => ({
  role: 'tool',
  text: '😀'.repeat(4096),
  clientMessageId: `${seq}${'😀'.repeat(253)}`,
  citations: Array.from({ length: 20 }, () => ({
    documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    title: '😀'.repeat(200),
    snippet: '😀'.repeat(500),
  })),
  metadata: largest,
});

/** So many messages of a line are stored by one transaction. */
const messagesAtOnce = 30;

test('the largest messages are exported, and imported by transactions that are large enough', async () => {
  const { api, path, append } = await open();
  for (let seq = 1; seq <= messagesAtOnce + 1; seq += 1)
    expect((await append([largestMessage(seq)])).status).toBe(201);
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  const [, , source = ''] = path.split('/');
  const exported = await linesOf(api, await exportNow(api, source, { what: 'conversations' }, wholePart));
  const target = await api.createProject();
  const { result } = await importNow(api, target, textOf(exported));
  expect(result).toEqual({ created: 1, unchanged: 0, failed: 0, errors: [] });
  const copies = await linesOf(api, await exportNow(api, target, { what: 'conversations' }, wholePart));
  expect(copiedContent(copies)).toEqual(copiedContent(exported));
  expect(exported.flatMap(({ messages }) => messages)).toHaveLength(messagesAtOnce + 1);
});
