/** What an answer cites, from the documents of a project to its message. */

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import type { Script } from '../../../samples/models.ts';
import { openKnownReplies } from '../../support/known-replies.ts';
import { openReplies } from '../../support/replies.ts';

const question = 'May I send a teapot back?';
const answer = 'You have 30 days[1]. It takes two days [2], or so [7].';
const plain = 'You have 30 days. It takes two days, or so.';

const deltasOf = (stream: string): string =>
  [...stream.matchAll(/^data: (\{.*\})$/gm)]
    .map(([, json = '']) => (JSON.parse(json) as { delta?: string }).delta ?? '')
    .join('');

async function openAsked(script: Script) {
  const api = await openKnownReplies(script);
  const { id: deploymentId } = await api.deploy();
  const conversation = await api.converse({ deploymentId });
  return { ...api, conversation, deploymentId };
}

test('the citations have document, title, page, piece and span, and the text has no markers', async () => {
  const { answered, conversation, transcript, idOf, pieceOf } = await openAsked(() => ({ steps: [answer] }));
  const reply = await answered(conversation, question);
  expect(reply).toMatchObject({ status: 'done', text: plain, nextAfter: plain.length, removedMarkers: 1 });
  const [, message] = await transcript(conversation);
  expect(message).toMatchObject({ role: 'avatar', text: plain, id: reply.messageId });
  expect(message?.citations).toEqual(reply.citations);
  const piece = await pieceOf('Returns');
  const [first, second, ...others] = reply.citations as Json[];
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    documentId: idOf('Returns'),
    title: 'Returns',
    page: null,
    pieceId: piece?.pieceId,
    snippet: expect.stringContaining('You can send a teapot back within 30 days.'),
    span: { start: expect.any(Number), end: expect.any(Number) },
  });
  const { start, end } = (first as { span: { start: number; end: number } }).span;
  expect(`${piece?.text}`.slice(start, end)).toContain('You can send a teapot back within 30 days');
  expect(second).toMatchObject({ documentId: idOf('Delivery'), title: 'Delivery' });
  expect((reply.passages as Json[]).map(({ title, cited }) => [title, cited])).toEqual([
    ['Returns', true],
    ['Delivery', true],
  ]);
});

test('a passage that is not cited says so', async () => {
  const { answered, conversation } = await openAsked(() => ({ steps: ['Two days [2].'] }));
  const { passages, citations } = await answered(conversation, question);
  expect((passages as Json[]).map(({ title, cited }) => [title, cited])).toEqual([
    ['Returns', false],
    ['Delivery', true],
  ]);
  expect((citations as Json[]).map(({ title }) => title)).toEqual(['Delivery']);
});

test('the deltas of the stream joined are the text of the message, with the answer cut at each character', async () => {
  const { answered, conversation, call, transcript } = await openAsked((_, index) => ({
    steps: [answer.slice(0, index), answer.slice(index)],
  }));
  for (const [index] of [...answer].entries()) {
    const { id } = await answered(conversation, question);
    const { text } = await call('GET', `${conversation}/replies/${id}/events`);
    expect(deltasOf(text), `cut at ${index}`).toBe(plain);
  }
  const texts = (await transcript(conversation)).filter(({ role }) => role === 'avatar');
  expect(new Set(texts.map(({ text }) => text))).toEqual(new Set([plain]));
});

test('while it runs, what is read is the beginning of the message', async () => {
  const read: string[] = [];
  let check = async () => {};
  const api = await openAsked(() => ({
    steps: [...answer].flatMap((unit, at) => (at % 9 === 8 ? [unit, () => check()] : [unit])),
  }));
  const { data } = await api.ask(api.conversation, question);
  check = async () => {
    read.push(`${(await api.call('GET', `${api.conversation}/replies/${data.id}`)).data.text}`);
  };
  await api.work();
  expect(read.length).toBeGreaterThan(3);
  for (const text of read) expect(plain.startsWith(text), text).toBe(true);
});

test('the stream names the cited documents as sources', async () => {
  const { answered, conversation, call, idOf } = await openAsked(() => ({ steps: [answer] }));
  const { id } = await answered(conversation, question);
  const { text } = await call('GET', `${conversation}/replies/${id}/events`);
  const sources = [...text.matchAll(/^data: (\{.*\})$/gm)]
    .map(([, json = '']) => JSON.parse(json) as Json)
    .filter(({ type }) => type === 'source-document');
  expect(sources.map(({ title, sourceId }) => [title, sourceId])).toEqual([
    ['Returns', `${idOf('Returns')}#1`],
    ['Delivery', `${idOf('Delivery')}#2`],
  ]);
});

test('a deployment answers with its own index, also after a later one is published', async () => {
  const { answered, conversation, converse, made, reindex, models } = await openAsked(() => ({
    steps: [answer],
  }));
  await made('/knowledge/documents', {
    title: 'News',
    tags: ['shop'],
    content: 'Send a teapot back to Leipzig.',
  });
  await reindex();
  await answered(conversation, question);
  expect(JSON.stringify(models.streams[0])).not.toContain('Leipzig');
  await answered(await converse({ test: true }), { input: { text: question }, target: { draft: true } });
  expect(JSON.stringify(models.streams[1])).toContain('Leipzig');
});

test('a short question is searched with the one before it', async () => {
  const { answered, conversation } = await openAsked(() => ({ steps: ['Yes.'] }));
  await answered(conversation, question);
  const { passages } = await answered(conversation, 'And abroad?');
  expect((passages as Json[]).map(({ title }) => title)).toContain('Returns');
});

describe('without passages', () => {
  test('a project without an index is answered, and says so', async () => {
    const { deploy, converse, answered, models } = await openReplies(() => ({
      steps: ['I do not know [1].'],
    }));
    const { id: deploymentId } = await deploy();
    const reply = await answered(await converse({ deploymentId }), question);
    expect(reply).toMatchObject({
      status: 'done',
      text: 'I do not know.',
      mode: null,
      indexVersion: null,
      passages: [],
      citations: [],
      removedMarkers: 1,
    });
    expect(JSON.stringify(models.streams[0]?.messages)).toContain('No passage');
  });

  test('an avatar without tags knows no documents', async () => {
    const { deploy, converse, answered } = await openKnownReplies(undefined, {
      avatar: { knowledgeTags: [] },
    });
    const { id: deploymentId } = await deploy();
    const reply = await answered(await converse({ deploymentId }), question);
    expect(reply).toMatchObject({ status: 'done', mode: null, indexVersion: null, passages: [] });
  });

  test('a question that no document answers: the index was searched', async () => {
    const { answered, conversation } = await openAsked(() => ({ steps: ['I do not know.'] }));
    const reply = await answered(conversation, 'Zzyzx qwertz?');
    expect(reply.status).toBe('done');
    expect(reply.indexVersion).not.toBeNull();
    expect(reply.mode).not.toBeNull();
  });
});
