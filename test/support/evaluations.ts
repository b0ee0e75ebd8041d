/** Evaluation runs in tests: a project with evaluators, and models that need no network. */

import type { Runtime } from '../../lib/http/runtime.ts';
import type { ModelClient, ModelReply, ModelRequest } from '../../lib/models/models.ts';
import { type Json, jobNotice, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, unlessTurnOver } from '../../samples/lambda-queue.ts';
import { fakeModels, replyWithFaults } from '../../samples/models.ts';
import conversationEvaluator from '../../workers/conversation-evaluator.ts';
import evaluationRunner from '../../workers/evaluation-runner.ts';
import { mortal } from './workers.ts';

/** A tenth of the default, to see that it counts. */
export const dayUsd = 10;

export const ruleOf = (rule: Json = { messages: { lte: 2 } }) => ({ kind: 'rule', rule });
export const modelOf = (prompt = 'Does the avatar have the last word?', further: Json = {}) => ({
  kind: 'model',
  output: { type: 'boolean' },
  model: { modelId: 'local.judge', prompt },
  ...further,
});

type Reply = (request: ModelRequest, signal?: AbortSignal) => Promise<ModelReply> | ModelReply;
export type Evaluations = Awaited<ReturnType<typeof openEvaluations>>;

/**
 * An API with a project, whose process can be killed: it dies after `life.callsLeft` calls of the database.
 * @param options.reply of the models. Default: as the prompt says (models.ts)
 */
export async function openEvaluations({
  reply = replyWithFaults,
  adjust = {},
  quotas = { modelCostUsd: dayUsd },
}: {
  reply?: Reply;
  adjust?: Partial<Runtime>;
  quotas?: Json;
} = {}) {
  const models = fakeModels(reply);
  let life = { callsLeft: Number.POSITIVE_INFINITY, afterwards: false, calls: 0 };
  const api = await openApi((runtime) => {
    const dying = mortal(runtime.client);
    life = dying.life;
    const { limits } = runtime;
    return {
      client: dying.client,
      sleep: async () => {},
      randomFraction: () => 0,
      models,
      limits: { ...limits, live: { ...limits.live, quotas } },
      ...adjust,
    };
  });
  const project = await api.createProject();
  const path = `/projects/${project}`;
  const made = async (place: string, body: Json): Promise<Json> => {
    const { status, data, text } = await api.call('POST', `${path}${place}`, { body });
    if (status >= 300) throw new Error(text);
    return data;
  };
  return {
    api,
    life,
    models,
    project,
    path,
    createEvaluator: (name: string, body: Json) => made('/evaluators', { name, ...body }),
    /** @returns its path */
    converse: (texts: readonly string[] = ['hello', 'good day'], body: Json = {}) =>
      converse(api, project, texts, body),
    requestRun: (body: Json = {}) => made('/evaluation-runs', body),
    /** @returns the job when it has ended */
    async run(body: Json = {}): Promise<Json> {
      const { id } = await made('/evaluation-runs', body);
      return finishRun(api, project, `${id}`);
    },
    finish: (job: unknown) => finishRun(api, project, `${job}`),
  };
}

/** Alternately of the user and the avatar. @returns the path of the conversation */
export async function converse(
  api: Pick<TestApi, 'call' | 'createConversation'>,
  project: string,
  texts: readonly string[],
  body: Json = {},
): Promise<string> {
  const path = await api.createConversation(body, project);
  // A request has at most 25 messages and 256 KB.
  const atOnce = texts.some((text) => text.length > 10_000) ? 7 : 25;
  for (let from = 0; from < texts.length; from += atOnce) {
    const messages = texts
      .slice(from, from + atOnce)
      .map((text, n) => ({ role: (from + n) % 2 === 0 ? 'user' : 'avatar', text }));
    const { status, text } = await api.call('POST', `${path}/messages`, { body: { messages } });
    if (status >= 300) throw new Error(text);
  }
  return path;
}

type Worked = Pick<TestApi, 'runtime' | 'organisationId'>;

/** One step. */
export const runOnce = (
  { runtime, organisationId }: Worked,
  project: string,
  job: string,
  context = {},
): Promise<void> =>
  deliverNotices(runtime, evaluationRunner, [jobNotice(`${organisationId}#live`, project, job)], context);

/** Does the steps of a run until it has ended. */
export async function finishRun(
  api: Worked & Pick<TestApi, 'call'>,
  project: string,
  job: string,
): Promise<Json> {
  for (;;) {
    await runOnce(api, project, job).catch(unlessTurnOver);
    const { data } = await api.call('GET', `/projects/${project}/jobs/${job}`);
    if (data.status !== 'running' && data.status !== 'queued') return data;
  }
}

export const endedNotice = (api: Pick<TestApi, 'organisationId'>, path: string) => {
  const [, , project = '', , id = ''] = path.split('/');
  return { ...jobNotice(`${api.organisationId}#live`, project, id), table: 'conversations' as const };
};

/** Ends the conversation, and evaluates it as its worker does. */
export async function end(api: TestApi, path: string): Promise<void> {
  await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  await deliverNotices(api.runtime, conversationEvaluator, [endedNotice(api, path)]);
}

/** @returns the facts that are stored, by conversation and id */
export async function factsOf(api: TestApi): Promise<Map<string, Json>> {
  const items = (await storedOf(api, 'conversations')).filter(({ tenant }) =>
    /#scores#conv_/.test(`${tenant}`),
  );
  return new Map(items.map((item) => [`${`${item.tenant}`.split('#').at(-1)}/${item.id}`, item]));
}

export const reservationsOf = async (api: TestApi): Promise<Json[]> =>
  (await storedOf(api, 'conversations')).filter(({ tenant }) => /#reservations#conv_/.test(`${tenant}`));

/** @returns millionths of a US dollar that the tenant has spent today */
export const spentOfDay = async (api: TestApi): Promise<number> =>
  (await storedOf(api, 'limits'))
    .filter(({ tenant, id }) => `${tenant}`.endsWith('#usage') && `${id}`.endsWith('#modelCostUsd'))
    .reduce((sum, { used }) => sum + Number(used), 0);

export type { ModelClient };
