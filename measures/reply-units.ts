/**
 * The DynamoDB usage of a reply, beside that of its two messages: the same question and the same answer, stored by a runtime. The model
 * is a scripted one, so the figures do not depend on its speed.
 */

import { type Json, openApi, storedOf } from '../samples/api.ts';
import { deliverNotices, noticesOf } from '../samples/lambda-queue.ts';
import { fakeModels } from '../samples/models.ts';
import { changeRecord } from '../samples/stream-records.ts';
import { table } from '../scripts/shared/markdown.ts';
import replyRunner from '../workers/reply-runner.ts';
import { meter, sizeOf } from './meter.ts';

type Units = { readUnits: number; writeUnits: number };

export type ReplyUnits = {
  kilobytes: number;
  /** Of the request, and of the worker. */
  request: Units;
  worker: Units;
  /** Of two requests, each with one of the messages. */
  messages: Units;
  parts: number;
};

export const replyKilobytes = [1, 4, 16] as const;

/**
 * The most units of a reply beside those of its messages, by the kilobytes of its answer. Eight passages are read, and each 2 KB of the
 * answer are a part.
 */
export const replyBudgets: Readonly<Record<(typeof replyKilobytes)[number], Units>> = {
  1: { readUnits: 34, writeUnits: 36 },
  4: { readUnits: 34, writeUnits: 44 },
  16: { readUnits: 34, writeUnits: 92 },
};

const documents = 10;
const question = 'How long can I send things back?';
const model = { id: 'test.model', inputUsdPerMillionTokens: 1, outputUsdPerMillionTokens: 4 };
/** A model sends a few words at a time. */
const pieceLength = 32;
const kilobyte = 1024;

/** @returns what was used beside the messages */
export const besideMessages = ({ request, worker, messages }: ReplyUnits): Units => ({
  readUnits: request.readUnits + worker.readUnits - messages.readUnits,
  writeUnits: request.writeUnits + worker.writeUnits - messages.writeUnits,
});

/** @returns a row for each size of an answer. Needs the tables of a test */
export async function measureReplyUnits(): Promise<ReplyUnits[]> {
  const rows: ReplyUnits[] = [];
  const state = { answer: '' };
  const service = await openAnswering(state);
  // The first reply of an index loads it.
  await measure(service, state, 1);
  for (const kilobytes of replyKilobytes) rows.push(await measure(service, state, kilobytes));
  return rows;
}

type Service = Awaited<ReturnType<typeof openAnswering>>;

/** @param state has the answer of the model */
async function openAnswering(state: { answer: string }) {
  let metered: ReturnType<typeof meter> | undefined;
  const steps = () => state.answer.match(new RegExp(`.{1,${pieceLength}}`, 'gs')) ?? [];
  const api = await openApi(({ client, limits }) => {
    metered = meter(client);
    const quotas = { ...limits.live.quotas, modelCostUsd: 10 };
    return {
      client: metered.client,
      models: fakeModels(undefined, [model], () => ({ steps: steps() })),
      limits: { ...limits, live: { ...limits.live, quotas } },
    };
  });
  if (!metered) throw new Error('the API has taken no client');
  const projectId = await api.createProject();
  const made = async (path: string, body: Json = {}) => {
    const { status, data, text } = await api.call('POST', `/projects/${projectId}${path}`, { body });
    if (status >= 300) throw new Error(text);
    return data;
  };
  for (let number = 1; number <= documents; number += 1)
    await made('/knowledge/documents', {
      title: `Returns ${number}`,
      tags: ['shop'],
      content: `You can send things back within ${number} days, if shop ${number} sold them.`,
    });
  await api.workOff(projectId, String((await made('/knowledge/reindex')).id));
  const { id: avatarId } = await made('/avatars', {
    name: 'Ada',
    persona: { prompt: 'You are Ada.' },
    knowledgeTags: ['shop'],
    model: { modelId: model.id },
  });
  await made('/deployments', { environment: 'production' });
  const { reset, usage } = metered;
  return { api, projectId, avatarId, made, reset, usage };
}

async function measure(service: Service, state: { answer: string }, kilobytes: number): Promise<ReplyUnits> {
  const { api, projectId, made, reset, usage } = service;
  const marker = ' [1]';
  const text = 'It is so. '.repeat(kilobyte * 2).slice(0, kilobytes * kilobyte - 2);
  state.answer = `${text}${marker}.`;
  const converse = async () =>
    `/conversations/${(await made('/conversations', { avatarId: service.avatarId })).id}`;
  const used = async (act: () => Promise<unknown>): Promise<Units> => {
    reset();
    await act();
    const { readUnits, writeUnits } = usage();
    return { readUnits, writeUnits };
  };

  const conversation = await converse();
  let replyId: unknown;
  const request = await used(async () => {
    const body = { input: { text: question }, target: { environment: 'production' } };
    replyId = (await made(`${conversation}/replies`, body)).id;
  });
  const queued = (await storedOf(api, 'messages')).find(({ id }) => id === replyId);
  const notices = noticesOf(replyRunner, [changeRecord(undefined, queued)], 'messages');
  const worker = await used(() => deliverNotices(api.runtime, replyRunner, notices));
  const { data } = await api.call('GET', `/projects/${projectId}${conversation}/replies/${replyId}`);
  if (data.status !== 'done') throw new Error(`${data.status} ${JSON.stringify(data.failure)}`);
  const stored = await storedOf(api, 'messages');
  const own = stored.find(({ id }) => id === replyId) ?? {};
  // The meter takes an update for one KB. The last one writes the whole reply, with its passages.
  worker.writeUnits += 2 * (Math.ceil(sizeOf(own) / kilobyte) - 1);

  const other = await converse();
  const send = (message: Json) => made(`${other}/messages`, { messages: [message] });
  const messages = await used(async () => {
    await send({ role: 'user', text: question });
    await send({ role: 'avatar', text: data.text, citations: data.citations });
  });
  const parts = stored.filter(({ id }) => String(id).startsWith(`${replyId}#`)).length;
  return { kilobytes, request, worker, messages, parts };
}

export function replyUnitTable(rows: readonly ReplyUnits[]): string {
  const both = ({ readUnits, writeUnits }: Units) => `${readUnits}, ${writeUnits}`;
  return table(
    [
      'answer',
      'parts',
      '`replies.create`: units read, written',
      'worker',
      'the two messages alone',
      'beside them',
      'budget',
    ],
    rows.map((row) => [
      `${row.kilobytes} KB`,
      row.parts,
      both(row.request),
      both(row.worker),
      both(row.messages),
      both(besideMessages(row)),
      both(budgetOf(row)),
    ]),
  );
}

/** @returns the most units of a reply of this size */
export function budgetOf({ kilobytes }: Pick<ReplyUnits, 'kilobytes'>): Units {
  const size = replyKilobytes.find((one) => one === kilobytes);
  if (size === undefined) throw new Error(`there is no budget for ${kilobytes} KB`);
  return replyBudgets[size];
}
