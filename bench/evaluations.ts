/**
 * Evaluation runs: with a rule, with a model, and with a model while the worker is killed at random. The model is a server on this
 * machine that answers like Bedrock.
 */

import { inBatches, split } from '../lib/base/batches.ts';
import { importConversation, storeImported } from '../lib/conversations/import.ts';
import { conversations as stored } from '../lib/conversations/store/conversations.ts';
import { scores } from '../lib/conversations/store/scores.ts';
import { commit } from '../lib/dynamodb/commit.ts';
import { openSession } from '../lib/dynamodb/session.ts';
import { bindStore, type ProjectStore } from '../lib/dynamodb/store.ts';
import type { Runtime } from '../lib/http/runtime.ts';
import type { StoredProject } from '../lib/projects/store.ts';
import { openBedrock } from '../lib/runtime/bedrock.ts';
import { noModels } from '../lib/runtime/models.ts';
import { type CallOptions, call, type Json } from '../scripts/local/call.ts';
import { answerLocally, localModel, startJudge } from '../scripts/local/judge.ts';
import { routesOf } from '../scripts/local/service.ts';
import { runOnce } from '../test/support/evaluations.ts';
import { chanceOf } from '../test/support/killable.ts';
import { mortal } from '../test/support/workers.ts';
import { count } from './bulk-service.ts';
import { meter } from './meter.ts';
import type { Bench } from './service.ts';
import { progress, table } from './statistics.ts';

/** The whole: `EVALUATED=10000 npm run bench -- evaluations`. */
const defaultConversations = 1000;
const messagesEach = 6;
/** At once, in a run. */
const callsAtOnce = 8;
const modelMs = 20;
const atOnce = 20;

type Kind = { name: string; evaluator: Json; isKilled: boolean };

const model = { modelId: localModel.id, prompt: 'Does the avatar have the last word?' };
const kinds: readonly Kind[] = [
  {
    name: 'a rule',
    evaluator: { kind: 'rule', rule: { all: [{ messages: { lte: 8 } }, { not: { contains: 'sorry' } }] } },
    isKilled: false,
  },
  { name: 'a model', evaluator: { kind: 'model', output: { type: 'boolean' }, model }, isKilled: false },
  {
    name: 'a model, and kills at random',
    evaluator: { kind: 'model', output: { type: 'boolean' }, model },
    isKilled: true,
  },
];

export async function evaluations(bench: Bench): Promise<string> {
  const conversations = Number(process.env.EVALUATED ?? defaultConversations);
  const rows: string[][] = [];
  for (const kind of kinds) {
    progress(`evaluations: ${kind.name}`);
    rows.push(await measure(bench, kind, conversations));
  }
  return [
    table(
      ['evaluator', 'conversations', 'killed runs', 'calls', 'scores', 'read units', 'write units', 'time'],
      rows,
    ),
    '',
    `Conversations with ${messagesEach} messages each, on DynamoDB Local. The model is a server on this machine that answers after ` +
      `${modelMs} ms; a run asks it up to ${callsAtOnce} questions at once. A killed run loses what it has not stored, and the next run ` +
      'repeats it. The benchmark fails unless each conversation has one score, the calls are at most the scores and ' +
      `${callsAtOnce} for each kill, and the cost of the job is at least that of all calls.`,
  ].join('\n');
}

async function measure(bench: Bench, { name, evaluator, isKilled }: Kind, conversations: number) {
  const { organisationId } = bench;
  const models = { listed: [localModel], converse: noModels.converse };
  const { live, ...others } = bench.runtime.limits;
  const limits = { ...others, live: { ...live, quotas: { modelCostUsd: 1000 } } };
  const runtime: Runtime = { ...bench.runtime, models, limits };
  const routes = routesOf(runtime);
  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(routes, method, path, { key: bench.key, ...options });
  const post = async (path: string, body: Json): Promise<Json> => {
    const { status, data, text } = await send('POST', path, { body });
    if (status >= 300) throw new Error(text);
    return data;
  };
  const { data } = await send('POST', '/projects', { body: { name } });
  const project = data as StoredProject;
  const path = `/projects/${project.id}`;
  await post(`${path}/evaluators`, { name: 'measured', ...evaluator });
  const store = await fill(bench, project, conversations);
  const sent = { calls: 0, microUsd: 0 };
  const judge = await startJudge(async (modelId, request) => {
    const answer = answerLocally(modelId, request);
    const { usage } = answer.body as { usage: { inputTokens: number; outputTokens: number } };
    sent.calls += 1;
    sent.microUsd += Math.ceil(
      usage.inputTokens * localModel.inputUsdPerMillionTokens +
        usage.outputTokens * localModel.outputUsdPerMillionTokens,
    );
    await new Promise((resolve) => setTimeout(resolve, modelMs));
    return answer;
  });
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const settings = { region: 'eu-central-1', endpoint: judge.endpoint, credentials };
  const converse = openBedrock(settings, { nowMs: Date.now });
  const metered = meter(bench.runtime.client);
  const { client, life } = mortal(metered.client);
  const worker = { ...runtime, client, models: { ...models, converse } };
  const chance = chanceOf(1);
  const job = await post(`${path}/evaluation-runs`, { maxCostUsd: 1000 });
  let kills = 0;
  metered.reset();
  const begun = performance.now();
  let ended: Json = job;
  while (ended.status === 'queued' || ended.status === 'running') {
    if (isKilled) life.callsLeft = 40 + Math.floor(chance() * 400);
    life.afterwards = chance() < 0.5;
    await runOnce({ runtime: worker, organisationId }, project.id, `${job.id}`).catch(() => {
      kills += 1;
    });
    ended = (await send('GET', `${path}/jobs/${job.id}`)).data;
  }
  const seconds = (performance.now() - begun) / 1000;
  const { readUnits, writeUnits } = metered.usage();
  judge.close();
  const facts = await countScores(store);
  const result = ended.result as { evaluated: number; costUsd: number; calls: number };
  const isRight =
    ended.status === 'succeeded' &&
    facts.each.size === conversations &&
    facts.total === conversations &&
    result.evaluated === conversations &&
    sent.calls <= facts.total + callsAtOnce * kills &&
    Math.round(result.costUsd * 1e6) >= sent.microUsd;
  if (!isRight) throw new Error(`${name}: ${JSON.stringify({ ended, sent, kills, facts: facts.total })}`);
  return [
    name,
    count(conversations),
    count(kills),
    count(sent.calls),
    count(facts.total),
    count(readUnits),
    count(writeUnits),
    `${seconds.toFixed(0)} s`,
  ];
}

const sessionOf = ({ runtime }: Bench) =>
  openSession(runtime.client, runtime.tableNames, {
    conversations: ['PutItem', 'Query'],
    messages: ['PutItem'],
  });

/** As an import does. */
async function fill(bench: Bench, project: StoredProject, conversations: number): Promise<ProjectStore> {
  const { runtime, organisationId } = bench;
  const session = sessionOf(bench);
  const store = bindStore(session, `${organisationId}#live`).inProject(project.id);
  const nowMs = runtime.nowMs();
  const numbers = Array.from({ length: conversations }, (_, number) => number);
  const write = async (number: number) => {
    const startedAt = nowMs - (conversations - number) * 1000;
    const messages = Array.from({ length: messagesEach }, (_, n) => ({
      role: n % 2 === 0 ? ('user' as const) : ('avatar' as const),
      text: `Message ${n} of conversation ${number}: where is my order, and when does it arrive?`,
      at: startedAt + n,
    }));
    const sent = { externalId: null, avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', startedAt, messages };
    const imported = importConversation(
      { ...sent, endedAt: startedAt + messagesEach },
      {
        caller: { principal: 'bench' },
        project,
        nowMs,
        newId: (kind, atMs) => runtime.newId(kind, nowMs, atMs),
      },
    );
    const author = {
      changedBy: 'bench',
      changedThrough: 'bench',
      changedIn: runtime.newId('call', nowMs),
      nowMs,
    };
    await commit(session, storeImported(store, imported, undefined), author);
  };
  await inBatches(numbers, atOnce, write);
  return store;
}

async function countScores(store: ProjectStore): Promise<{ total: number; each: Set<string> }> {
  const each = new Set<string>();
  let total = 0;
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const { items, next } = await stored.at(store).page({ order: 'oldest', limit: 900, after });
    ids.push(...items.map(({ id }) => id));
    if (next === null) break;
    after = next;
  }
  for (const some of split(ids, atOnce)) {
    const pages = await Promise.all(
      some.map(async (id) => ({ id, found: await scores.at(store, id).page({ limit: 50 }) })),
    );
    for (const { id, found } of pages) {
      total += found.items.length;
      if (found.items.length > 0) each.add(id);
    }
  }
  return { total, each };
}
