/** Avatars that answer, for tests: a conversation with a deployment, and the worker that answers. */

import type { Runtime } from '../../lib/http/runtime.ts';
import type { Model } from '../../lib/models/models.ts';
import type { Times } from '../../lib/replies/run/answer.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { type Json, openApi, storedOf } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import { fakeModels, type Script } from '../../samples/models.ts';
import replyRunner, { answersWithin } from '../../workers/reply-runner.ts';

export const testModel: Model = {
  id: 'test.model',
  inputUsdPerMillionTokens: 1,
  outputUsdPerMillionTokens: 4,
};

type Options = {
  modelCostUsd?: number;
  avatar?: Json;
  settings?: Json;
  /** Puts something else in the place of a part of the outside world. */
  adjust?: (runtime: Runtime) => Partial<Runtime>;
  /** The times of the worker. Default: those of the worker in use. */
  times?: Times;
};

/** @param script what the model does with each request */
export async function openReplies(
  script?: Script,
  { modelCostUsd = 10, avatar = {}, settings = {}, adjust = () => ({}), times }: Options = {},
) {
  const models = fakeModels(undefined, [testModel], script);
  const worker = times ? { ...replyRunner, handle: answersWithin(times) } : replyRunner;
  const api = await openApi((runtime) => {
    const { limits } = runtime;
    return {
      models,
      limits: { ...limits, live: { ...limits.live, quotas: { ...limits.live.quotas, modelCostUsd } } },
      ...adjust(runtime),
    };
  });
  const tenant = `${api.organisationId}#live` as const;
  const projectId = await api.createProject({ settings });
  const project = `/projects/${projectId}`;
  const made = async (path: string, body: Json): Promise<Json> => {
    const { status, data, text } = await api.call('POST', `${project}${path}`, { body });
    if (status >= 300) throw new Error(text);
    return data;
  };
  const model = { modelId: testModel.id, maxTokens: 200 };
  const persona = { prompt: 'You are Ada.' };
  const { id: avatarId } = await made('/avatars', {
    name: 'Ada',
    persona,
    model,
    knowledgeTags: ['shop'],
    ...avatar,
  });
  const deploy = () => made('/deployments', { environment: 'production' });
  /** @returns the path of a new conversation with the avatar */
  const converse = async (body: Json = {}): Promise<string> =>
    `${project}/conversations/${(await made('/conversations', { avatarId, ...body })).id}`;
  const ask = (
    conversation: string,
    body: Json | string,
    options: { key?: string; idempotencyKey?: string } = {},
  ) =>
    api.call('POST', `${conversation}/replies`, {
      body: typeof body === 'string' ? { input: { text: body } } : body,
      ...options,
    });
  /** @returns the notices of all replies that are stored as queued */
  const notices = async (): Promise<Notice[]> => {
    const items = await storedOf({ runtime: api.runtime, organisationId: api.organisationId }, 'messages');
    return items
      .filter(({ id, status }) => String(id).startsWith('rpl_') && status === 'queued')
      .map(({ id, tenant: partition }) => noticeOf(String(partition), String(id)));
  };
  const noticeOf = (partition: string, id: string): Notice => ({
    table: 'messages',
    kind: 'INSERT',
    tenant,
    partition: partition.split('#').slice(2),
    id,
    atMs: 0,
    sequence: '1',
  });
  const work = async (given?: readonly Notice[]) => {
    const all = given ?? (await notices());
    if (all.length > 0) await deliverNotices(api.runtime, worker, all);
  };
  /** Asks, and lets the worker answer. @returns the reply at its end */
  const answered = async (conversation: string, body: Json | string): Promise<Json> => {
    const { status, data, text } = await ask(conversation, body);
    if (status !== 202) throw new Error(text);
    await work();
    return (await api.call('GET', `${conversation}/replies/${data.id}`)).data;
  };
  const transcript = async (conversation: string) =>
    (await api.call('GET', `${conversation}/transcript?limit=100`)).data.messages as Json[];
  return {
    ...api,
    models,
    worker,
    project,
    projectId,
    avatarId,
    made,
    deploy,
    converse,
    ask,
    notices,
    work,
    answered,
    transcript,
  };
}
