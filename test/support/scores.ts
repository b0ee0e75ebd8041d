/** Scores that are stored without an endpoint, as runs store them. */

import { conversations } from '../../lib/conversations/store/conversations.ts';
import { type NewScore, scored, writeScores } from '../../lib/conversations/store/scores.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore, type ProjectStore } from '../../lib/dynamodb/store.ts';
import type { Write } from '../../lib/dynamodb/write.ts';
import { evaluatorNames } from '../../lib/evaluations/store/evaluators.ts';
import type { Output } from '../../lib/scores/output.ts';
import type { ScoreSource } from '../../lib/scores/score.ts';
import { slotOf } from '../../lib/scores/value.ts';
import { type CallOptions, type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { ratingBody, ruleBody } from '../../samples/samples.ts';

export type Outputs = Readonly<Record<string, Output>>;

const evaluatorId = 'eval_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

function openStore({ runtime, organisationId }: TestApi, projectId: string) {
  const session = openSession(runtime.client, runtime.tableNames, {
    conversations: ['GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  });
  const store = bindStore(session, `${organisationId}#live`).inProject(projectId);
  const write = (writes: readonly Write[]) => {
    const changedIn = runtime.newId('call', runtime.nowMs());
    return commit(session, writes, {
      changedBy: 'worker:test',
      changedThrough: 'worker:test',
      changedIn,
      nowMs: runtime.nowMs(),
    });
  };
  return { store, write };
}

/** Stores that scores with these names exist. */
export async function nameScores(api: TestApi, projectId: string, outputs: Outputs): Promise<void> {
  const { store, write } = openStore(api, projectId);
  await write(
    Object.entries(outputs).map(([id, output]) =>
      evaluatorNames.at(store).put({ id, evaluatorId, output }, { condition: { kind: 'any' } }),
    ),
  );
}

export type SentScore = { name: string; value: unknown; source: ScoreSource; version?: number };

/** Stores scores of a conversation, about all of its messages. */
export async function storeScores(
  api: TestApi,
  projectId: string,
  outputs: Outputs,
  conversationId: string,
  sent: readonly SentScore[],
): Promise<void> {
  const { store, write } = openStore(api, projectId);
  const refusal = await write(await scoreWrites(store, outputs, conversationId, sent));
  if (refusal) throw new Error(`the scores of ${conversationId} are not stored`);
}

async function scoreWrites(
  store: ProjectStore,
  outputs: Outputs,
  conversationId: string,
  sent: readonly SentScore[],
) {
  const conversation = await conversations.at(store).get(conversationId);
  if (!conversation) throw new Error('no such conversation');
  const facts = sent.map(({ name, value, source, version = 1 }): NewScore => {
    const output = outputs[name];
    if (!output) throw new Error(`no output of ${name}`);
    const isIndexed = ['boolean', 'number', 'category'].includes(output.type);
    return {
      evaluatorId,
      name,
      version,
      source,
      value: value === null ? null : JSON.stringify(value),
      indexed: isIndexed ? (value as NewScore['indexed']) : null,
      slot: value === null ? null : slotOf(output, value),
      reason: value === null ? 'refused' : null,
      rationale: null,
      evidence: [],
      messageCount: conversation.messageCount,
      inputTokens: null,
      outputTokens: null,
      costMicroUsd: null,
      createdAt: '2026-03-05T00:00:00.000Z',
      createdBy: 'worker:test',
      jobId: null,
    };
  });
  return writeScores(store, conversation, await scored.at(store).get(conversationId), facts);
}

const ranks: Readonly<Record<string, number>> = { human: 3, api: 2, model: 1, rule: 1 };

/** @returns the effective score of each name, by conversation and name: by a scan of all facts */
export async function effectiveScores(api: TestApi): Promise<Map<string, Map<string, Json>>> {
  const found = new Map<string, Map<string, Json>>();
  const order = ({ source, version, messageCount }: Json) =>
    [ranks[`${source}`], version, messageCount].map((number) => `${number}`.padStart(10, '0')).join();
  for (const fact of await storedOf(api, 'conversations')) {
    const [, , , place, conversationId = ''] = `${fact.tenant}`.split('#');
    if (place !== 'scores') continue;
    const names = found.get(conversationId) ?? new Map<string, Json>();
    const other = names.get(`${fact.name}`);
    if (!other || order(other) <= order(fact)) names.set(`${fact.name}`, fact);
    found.set(conversationId, names);
  }
  return found;
}

export { ratingBody, ruleBody };

/** A project with evaluators. */
export async function openEvaluators() {
  const api = await openApi();
  const project = `/projects/${await api.createProject()}`;
  const send = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    api.call(method, `${project}${path}`, { ...(body !== undefined && { body }), ...options });
  const say = (path: string, count = 1) =>
    send('POST', `${path}/messages`, {
      messages: Array.from({ length: count }, (_, n) => ({ role: 'user', text: `Message ${n}` })),
    });
  return {
    ...api,
    api,
    project,
    send,
    say,
    /** @returns the evaluator */
    async create(body: Json = ruleBody, options: CallOptions = {}): Promise<Json> {
      const { status, text, data } = await send('POST', '/evaluators', body, options);
      if (status !== 201) throw new Error(text);
      return data;
    },
    /** @returns the path of a new conversation with messages of the user */
    async converse(body: Json = {}, messages = 2): Promise<string> {
      const path = (await api.createConversation(body, project.split('/')[2])).replace(project, '');
      if (messages > 0) await say(path, messages);
      return path;
    },
  };
}
