/** The part of the story that is about replies of avatars. */

import type { Access } from '../../lib/dynamodb/tables.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import replyRunner from '../../workers/reply-runner.ts';
import { noting } from './access.ts';
import { intercept } from './faults.ts';
import { resumeNow, suspendNow } from './suspensions.ts';
import { deliverUntilDone } from './turns.ts';

type Story = { api: TestApi; used: Map<string, Access[]>; settle(): Promise<void> };

/**
 * Replies are answered with passages, tried out, refused, lost and repeated. One waits until its organisation is resumed, and a
 * document of a dry run is expunged.
 */
export async function reply(story: Story, project: string): Promise<void> {
  const { api, settle } = story;
  const { limits } = api.runtime;
  const allow = (modelCostUsd: number) => {
    api.runtime.limits = { ...limits, live: { ...limits.live, quotas: { modelCostUsd } } };
  };
  allow(1);
  const path = `/projects/${project}`;
  const post = async (below: string, body: Json = {}) => {
    const answer = await api.call('POST', `${path}${below}`, { body });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.data;
  };
  const model = { modelId: 'local.judge', maxTokens: 100 };
  const persona = { prompt: 'You are Eve.' };
  const { id: avatarId } = await post('/avatars', {
    name: 'Eve',
    persona,
    model,
    knowledgeTags: ['replies'],
  });
  const document = { title: 'Bells', content: 'A bell rings at noon.', tags: ['replies'] };
  const { id: documentId } = await post('/knowledge/documents', document);
  await post('/knowledge/reindex');
  await settle();
  await post('/deployments', { environment: 'replies' });
  const converse = async (body: Json = {}) =>
    `/conversations/${(await post('/conversations', { avatarId, ...body })).id}`;
  const target = { environment: 'replies' };
  const text = 'When does a bell ring?';
  const ask = (conversation: string, body: Json = {}) =>
    post(`${conversation}/replies`, { input: { text }, target, ...body });

  const conversation = await converse();
  await ask(conversation, { input: { text, clientMessageId: 'one' } });
  await settle();
  await ask(conversation, { dryRun: true });
  await settle();
  await ask(await converse({ test: true }), { target: { draft: true } });
  await settle();
  allow(0);
  const refused = await ask(conversation);
  await settle();
  allow(1);
  await post(`${conversation}/replies`, { retryOf: refused.id });
  await settle();
  const { id: cancelled } = await ask(conversation);
  await post(`${conversation}/replies/${cancelled}/cancel`);
  await settle();
  await waitOnce(story, await ask(conversation));
  await loseOne(story, await ask(await converse()));
  await settle();
  await api.call('DELETE', `${path}/knowledge/documents/${documentId}?expunge=true`);
  await settle();
  api.runtime.limits = limits;
}

async function noticesFor({ api }: Story, { id }: Json) {
  const stored = (await storedOf(api, 'messages')).filter((item) => item.id === id);
  return noticesOf(
    replyRunner,
    stored.map((item) => changeRecord(undefined, item)),
  );
}

/** The organisation is resumed when the reply has just begun to wait. */
async function waitOnce(story: Story, asked: Json): Promise<void> {
  const { api, used } = story;
  const notices = await noticesFor(story, asked);
  await suspendNow(api);
  let isResumed = false;
  const resuming = intercept(api.runtime.client, (command, proceed) => {
    if (isResumed || !JSON.stringify(command.input).includes('#waiting')) return undefined;
    isResumed = true;
    return resumeNow(api).then(proceed);
  });
  const { client, taken } = noting(resuming);
  await deliverUntilDone(api, { ...api.runtime, client }, replyRunner, notices);
  used.set(replyRunner.id, [...(used.get(replyRunner.id) ?? []), ...taken]);
  if (!isResumed) throw new Error('the reply has not waited');
}

/** The worker dies when it has claimed the reply. The notice that comes again writes that the reply is unknown. */
async function loseOne(story: Story, asked: Json): Promise<void> {
  const { api, used } = story;
  const notices = await noticesFor(story, asked);
  const dying = intercept(api.runtime.client, ({ input }) =>
    JSON.stringify(input).includes('reservedMicroUsd') ? Promise.reject(new Error('killed')) : undefined,
  );
  const work = { ...api.runtime, client: dying, log: () => {} };
  await deliverNotices(work, replyRunner, notices).catch(() => {});
  api.advance(40_000);
  const { client, taken } = noting(api.runtime.client);
  await deliverUntilDone(api, { ...api.runtime, client }, replyRunner, notices);
  used.set(replyRunner.id, [...(used.get(replyRunner.id) ?? []), ...taken]);
}
