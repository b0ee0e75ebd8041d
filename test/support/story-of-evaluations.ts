/** The part of the story that is about evaluations. */

import { expect } from 'vitest';
import type { Access } from '../../lib/dynamodb/tables.ts';
import type { Json, TestApi } from '../../samples/api.ts';
import { ruleBody } from '../../samples/samples.ts';
import conversationEvaluator from '../../workers/conversation-evaluator.ts';
import { noting } from './access.ts';
import { endedNotice, modelOf } from './evaluations.ts';
import { intercept } from './faults.ts';
import { resumeNow, suspendNow } from './suspensions.ts';
import { deliverUntilDone } from './turns.ts';

type Story = { api: TestApi; used: Map<string, Access[]>; settle(): Promise<void> };

/**
 * Conversations end and are scored, runs use an older version and wait for each other, and a conversation of a preview is erased. The
 * organisation is suspended when a conversation has ended, and a key that has set an evaluator is revoked.
 */
export async function evaluate(story: Story, project: string): Promise<void> {
  const { api, settle } = story;
  const { limits } = api.runtime;
  api.runtime.limits = { ...limits, live: { ...limits.live, quotas: { modelCostUsd: 1 } } };
  const path = `/projects/${project}`;
  const post = async (below: string, body: Json = {}) => {
    const answer = await api.call('POST', `${path}${below}`, { body });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.data;
  };
  await post('/evaluators', ruleBody);
  const { id } = await post('/evaluators', { name: 'judge', ...modelOf() });
  const converse = async () => {
    const body = { externalUserId: 'user', deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
    const conversation = await api.createConversation(body, project);
    const messages = [{ role: 'user', text: 'hello' }];
    await api.call('POST', `${conversation}/messages`, { body: { messages } });
    return conversation;
  };
  const end = (conversation: string) =>
    api.call('POST', `${conversation}/end`, { body: { reason: 'completed' } });
  await end(await converse());
  await settle();
  const erased = await converse();
  await post('/evaluation-runs', { maxCostUsd: 1 });
  await post('/evaluation-runs', { maxCostUsd: 1 });
  await api.call('PATCH', `${path}/evaluators/${id}`, {
    body: { model: { modelId: 'local.judge', prompt: 'Another question?' } },
  });
  await post('/evaluation-runs', { preview: true, maxCostUsd: 1 });
  await settle();
  await api.call('DELETE', erased);
  await settle();
  const late = await converse();
  await end(late);
  await waitOnce(story, late);
  await settle();
  // The run of a credential that is bound to environments reads the deployments of the conversations.
  const scopes = ['conversations:read', 'conversations:write'];
  const { secret: bound } = await api.createKey({ scopes, environments: ['staging'] });
  const run = { key: bound, body: { maxCostUsd: 1 } };
  expect((await api.call('POST', `${path}/evaluation-runs`, run)).status).toBe(202);
  await settle();
  const { secret: key, id: keyId } = await api.createKey({ scopes: ['conversations:write'] });
  await api.call('POST', `${path}/evaluators`, { key, body: { ...ruleBody, name: 'paused' } });
  await api.call('DELETE', `/api-keys/${keyId}?children=true`);
  await settle();
  // What the models have cost the project is found.
  await api.call('GET', `${path}/usage/days`);
  api.runtime.limits = limits;
}

/** The organisation is resumed when the evaluation has just begun to wait. */
async function waitOnce({ api, used }: Story, conversation: string): Promise<void> {
  await suspendNow(api);
  let isResumed = false;
  const resuming = intercept(api.runtime.client, (command, proceed) => {
    if (isResumed || !JSON.stringify(command.input).includes('#waiting')) return undefined;
    isResumed = true;
    return resumeNow(api).then(proceed);
  });
  const { client, taken } = noting(resuming);
  const notice = endedNotice(api, conversation);
  await deliverUntilDone(api, { ...api.runtime, client }, conversationEvaluator, [notice]);
  used.set(conversationEvaluator.id, [...(used.get(conversationEvaluator.id) ?? []), ...taken]);
  if (!isResumed) throw new Error('the evaluation has not waited');
}
