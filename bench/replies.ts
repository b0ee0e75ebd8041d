/**
 * The first text of a reply, in pairs with the same search and the same call of a model that a program makes itself: on the dev server,
 * with a model that answers at once. The difference is what a reply adds: its storage, its way to the worker, and the stream.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { startDevProcess } from '../scripts/local/dev-process.ts';
import { budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { type InstantModel, startInstantModel } from './instant-model.ts';
import { inTurn, pairs } from './rounds.ts';
import { median, percentile, spread } from './statistics.ts';

const question = 'How do I send something back?';
const modelName = 'instant';
/** Other workers count a new conversation. Users do not start to write in the same moment. */
const afterStartMs = 1500;

/** The milliseconds of a reply since the request was sent, by part. */
type Times = {
  /** Until the response to the request. */
  accepted: number;
  /** Until the worker has begun. */
  claimed: number;
  /** Until the model has the request. */
  asked: number;
  /** Until the client has the first text. */
  first: number;
};

export async function replies(): Promise<Findings> {
  const model = await startInstantModel(modelName);
  const service = await startDevProcess({ env: model.variables });
  try {
    const caller = await prepare(service);
    const both = await inTurn<'reply' | 'direct', Times>(
      {
        reply: () => timeReply(caller, model),
        direct: () => timeDirect(caller, model),
      },
      { what: 'replies', rounds: pairs, warmUps: 3, settleMs: 2000 },
    );
    const { reply, direct } = both;
    const overheads = reply.map(({ first }, index) => first - (direct[index]?.first ?? 0));
    const part = (name: string, of: (times: Times) => number) => [
      name,
      spread(reply.map(of), 'ms'),
      percentile(reply.map(of), 0.95).toFixed(0),
    ];
    return {
      head: ['until the first text', 'time', 'p95, ms'],
      rows: [
        part('a reply', ({ first }) => first),
        part('… its request', ({ accepted }) => accepted),
        part('… until a worker begins', ({ accepted, claimed }) => claimed - accepted),
        part('… search, reservation, until the model is asked', ({ asked, claimed }) => asked - claimed),
        part('… first part, until the stream has it', ({ first, asked }) => first - asked),
        [
          'the same search and call, by hand',
          spread(
            direct.map(({ first }) => first),
            'ms',
          ),
          percentile(
            direct.map(({ first }) => first),
            0.95,
          ).toFixed(0),
        ],
        ['**what a reply adds**', spread(overheads, 'ms'), percentile(overheads, 0.95).toFixed(0)],
      ],
      notes:
        `The model answers at once, so its time is not in the figures. Budgets: a reply adds at most ${budgets.replyMedianMs} ms in the median, ` +
        `and ${budgets.replyMs} ms in 19 of 20.`,
      rounds: `${pairs} pairs, in turn`,
      budgeted: [
        { budget: 'replyMedianMs', what: 'ms that a reply adds, in the median', value: median(overheads) },
        {
          budget: 'replyMs',
          what: 'ms that a reply adds, 95 of 100',
          value: percentile(overheads, 0.95),
        },
      ],
    };
  } finally {
    await Promise.all([service.stop(), model.stop()]);
  }
}

type Caller = {
  conversations: string;
  search: string;
  avatarId: string;
  send(method: string, path: string, body?: object): Promise<Response>;
  read(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
};

/** A deployed avatar that knows some documents, and the key of its runtime. */
async function prepare({
  baseUrl,
  apiKey,
  post,
}: Awaited<ReturnType<typeof startDevProcess>>): Promise<Caller> {
  const { id } = await post('/projects', { name: 'replies' });
  const project = `/projects/${id}`;
  for (let number = 1; number <= 10; number += 1) {
    const content = `Send anything of shop ${number} back within ${number} days.`;
    await post(`${project}/knowledge/documents`, { title: `Returns ${number}`, content, tags: ['shop'] });
  }
  const job = await post(`${project}/knowledge/reindex`, {});
  const { send: sendAsRoot, read: readAsRoot } = callerOf(baseUrl, apiKey);
  for (let status: unknown; status !== 'succeeded'; ) {
    status = (await readAsRoot('GET', `${project}/jobs/${job.id}?waitSeconds=20`)).status;
    if (status === 'failed') throw new Error('the index was not made');
  }
  const { id: avatarId } = await post(`${project}/avatars`, {
    name: 'Clara',
    persona: { prompt: 'You help customers of a shop.' },
    knowledgeTags: ['shop'],
    model: { modelId: modelName },
  });
  await post(`${project}/deployments`, { environment: 'production' });
  const created = await sendAsRoot('POST', '/api-keys', {
    name: 'runtime',
    scopes: ['runtime:write'],
    projectIds: [id],
  });
  const { data } = (await created.json()) as { data: { secret: string } };
  const query = new URLSearchParams({ q: question, environment: 'production', tag: 'shop', limit: '8' });
  return {
    ...callerOf(baseUrl, data.secret),
    avatarId,
    conversations: `${project}/conversations`,
    search: `${project}/knowledge/search?${query}`,
  };
}

function callerOf(baseUrl: string, key: string): Pick<Caller, 'send' | 'read'> {
  const send: Caller['send'] = async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const read: Caller['read'] = async (...request) =>
    ((await (await send(...request)).json()) as { data: Record<string, unknown> }).data;
  return { send, read };
}

async function timeReply(
  { send, read, conversations, avatarId }: Caller,
  model: InstantModel,
): Promise<Times> {
  const { id } = await read('POST', conversations, { avatarId });
  await sleep(afterStartMs);
  const begun = Date.now();
  const path = `${conversations}/${id}/replies`;
  const reply = await read('POST', path, {
    input: { text: question },
    target: { environment: 'production' },
  });
  const accepted = Date.now();
  const first = await firstDelta(await send('GET', `${path}/${reply.id}/events`));
  const { startedAt, failure } = await read('GET', `${path}/${reply.id}`);
  if (failure) throw new Error(JSON.stringify(failure));
  return {
    accepted: accepted - begun,
    claimed: Math.max(accepted, Date.parse(String(startedAt))) - begun,
    asked: Math.max(accepted, model.askedMs()) - begun,
    first: first - begun,
  };
}

/** Reads the stream to its end. @returns when the first text came, as epoch milliseconds */
async function firstDelta({ body }: Response): Promise<number> {
  let text = '';
  let atMs: number | undefined;
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('"text-delta"')) atMs ??= Date.now();
  }
  if (atMs === undefined) throw new Error(`the stream has no text: ${text}`);
  return atMs;
}

async function timeDirect({ read, search }: Caller, model: InstantModel): Promise<Times> {
  const begun = Date.now();
  const { items } = await read('GET', search);
  const passages = JSON.stringify(items);
  await model.ask([
    { role: 'system', content: 'You help customers of a shop.' },
    { role: 'user', content: `${passages}\n\n${question}` },
  ]);
  const first = Date.now() - begun;
  return { accepted: 0, claimed: 0, asked: model.askedMs() - begun, first };
}
