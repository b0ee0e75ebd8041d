/** A dry run shows the complete request, stores no message, and leaves nothing behind. */

import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/base/time.ts';
import { type Json, storedOf } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import conversationEraser from '../../../workers/conversation-eraser.ts';
import { openKnownReplies, returns } from '../../support/known-replies.ts';
import { openReplies } from '../../support/replies.ts';
import { storedText } from '../../support/stored.ts';
import { deliver } from '../../support/workers.ts';

const question = 'May I send a teapot back?';
const dry = { input: { text: question }, dryRun: true };

type Request = {
  modelId: string;
  system: string[];
  messages: { role: string; content: string[] }[];
  maxTokens: number;
  highestCostUsd: number;
};

async function openDry() {
  const api = await openKnownReplies();
  const { id: deploymentId } = await api.deploy();
  const conversation = await api.converse({ deploymentId });
  const run = async () => {
    const reply = await api.answered(conversation, dry);
    return { reply, path: `${conversation}/replies/${reply.id}`, request: reply.request as Request };
  };
  return { ...api, conversation, run };
}

test('it has the persona, the passages with their scores, and the highest cost', async () => {
  const { run, models, transcript, conversation, idOf, call } = await openDry();
  const { reply, request } = await run();
  expect(reply).toMatchObject({
    status: 'done',
    dryRun: true,
    inputMessageId: null,
    messageId: null,
    text: '',
    nextAfter: 0,
    costUsd: 0,
    inputTokens: null,
    firstTextMs: null,
  });
  expect(reply.indexVersion).not.toBeNull();
  const passages = reply.passages as Json[];
  expect(passages.map(({ documentId, number, cited }) => [documentId, number, cited])).toEqual([
    [idOf('Returns'), 1, false],
    [idOf('Delivery'), 2, false],
  ]);
  for (const { score } of passages) expect(score).toBeGreaterThan(0);
  expect(request).toMatchObject({ modelId: 'test.model', maxTokens: 200 });
  expect(request.highestCostUsd).toBeGreaterThan(200 * 4e-6);
  expect(request.system.join('\n')).toContain('You are Ada.');
  const last = request.messages.at(-1)?.content.join('\n');
  expect(last).toContain('You can send a teapot back within 30 days.');
  expect(last).toContain('A teapot arrives in two days.');
  expect(last).toContain(question);
  // The avatar does not have the tag of this one.
  expect(JSON.stringify(reply)).not.toContain('Salaries');
  expect(models.streams).toEqual([]);
  expect(await transcript(conversation)).toEqual([]);
  expect((await call('GET', conversation)).data.messageCount).toBe(0);
});

test('it is the request that an answer then sends', async () => {
  const { run, models, answered, conversation } = await openDry();
  const { request } = await run();
  await answered(conversation, question);
  const { highestCostUsd: _, ...sent } = request;
  expect(models.streams).toEqual([sent]);
});

test('the question alone is not stored for longer than the request', async () => {
  const { run } = await openDry();
  const api = await openDry();
  await run();
  await api.run();
  const stored = (await storedOf(api, 'messages')).filter(({ id }) => `${id}`.startsWith('rpl_'));
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(question);
});

test('it can be read for an hour, and is null then', async () => {
  const { run, call, advance } = await openDry();
  const { path } = await run();
  advance(hourMs - minuteMs);
  expect((await call('GET', path)).data.request).not.toBeNull();
  advance(2 * minuteMs);
  expect((await call('GET', path)).data).toMatchObject({ status: 'done', request: null });
});

test('reading it needs the scopes of requesting it', async () => {
  const { run, call, createKey } = await openDry();
  const { path } = await run();
  const all = ['conversations:write', 'deploy:read', 'knowledge:read', 'avatars:read'];
  const read = async (scopes: string[]) =>
    (await call('GET', path, { key: (await createKey({ scopes })).secret })).error?.code;
  expect(await read(all)).toBeUndefined();
  for (const left of all)
    expect(await read(all.filter((scope) => scope !== left)), left).toBe('insufficient_scope');
  expect(await read(['conversations:read'])).toBe('insufficient_scope');
});

test('it is taken while a reply is open, and leaves that alone', async () => {
  const { conversation, ask, run, call } = await openDry();
  const { data } = await ask(conversation, 'Hello?');
  const { reply } = await run();
  expect(reply.status).toBe('done');
  expect((await call('GET', `${conversation}/replies/${data.id}`)).data.status).toBe('done');
  expect((await ask(conversation, 'Another?')).status).toBe(202);
});

test('it leaves a conversation without a deployment', async () => {
  const { converse, answered, call } = await openDry();
  const conversation = await converse();
  const reply = await answered(conversation, { ...dry, target: { environment: 'production' } });
  expect(reply).toMatchObject({ status: 'done', environment: 'production' });
  expect((await call('GET', conversation)).data.deploymentId).toBeNull();
});

test('409 in an ended conversation', async () => {
  const { conversation, ask, call } = await openDry();
  await call('POST', `${conversation}/end`, { body: { reason: 'completed' } });
  expect((await ask(conversation, dry)).error.code).toBe('conversation_ended');
});

test('of a reply that failed, it has the question of its message', async () => {
  const { deploy, converse, answered } = await openReplies(() => ({ end: { kind: 'invalid', message: '' } }));
  const { id: deploymentId } = await deploy();
  const conversation = await converse({ deploymentId });
  const failed = await answered(conversation, question);
  const reply = await answered(conversation, { retryOf: failed.id, dryRun: true });
  expect(reply).toMatchObject({ status: 'done', inputMessageId: failed.inputMessageId });
  const { messages } = reply.request as Request;
  expect(JSON.stringify(messages).split(question)).toHaveLength(2);
});

test('it fails if it would be refused later: the model is not listed any more', async () => {
  const { conversation, ask, work, call, models } = await openDry();
  const { data } = await ask(conversation, dry);
  Object.assign(models, { listed: [] });
  await work();
  expect((await call('GET', `${conversation}/replies/${data.id}`)).data).toMatchObject({
    status: 'failed',
    failure: { code: 'model_not_listed' },
    request: null,
  });
});

test('the erasure of the conversation removes it', async () => {
  const api = await openDry();
  const { path } = await api.run();
  expect(await storedText(api)).toContain(question);
  expect((await api.call('DELETE', api.conversation)).status).toBe(200);
  expect((await api.call('GET', path)).status).toBe(404);
  const erased = (await storedOf(api, 'conversations')).filter(({ tenant }) => /#erased$/.test(`${tenant}`));
  await deliver(
    api,
    conversationEraser,
    erased.map((item) => changeRecord(undefined, item)),
  );
  expect(await storedText(api)).not.toContain(question);
});

test('an expunge of one of its documents removes it, and of another one does not', async () => {
  const api = await openDry();
  const { path } = await api.run();
  const expunge = async (title: string) => {
    const documents = `${api.project}/knowledge/documents`;
    const { status, data } = await api.call('DELETE', `${documents}/${api.idOf(title)}?expunge=true`);
    expect(status).toBe(202);
    await api.workOff(api.projectId, `${data.expungeJobId ?? data.jobId ?? data.id}`);
  };
  await expunge('Salaries');
  expect((await api.call('GET', path)).data.request).not.toBeNull();
  await expunge('Returns');
  expect((await api.call('GET', path)).data).toMatchObject({ status: 'done', request: null });
  expect(await storedText(api)).not.toContain(returns.content.split('\n').at(-1));
});
