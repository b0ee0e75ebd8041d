/**
 * 200 replies under SIGKILL: processes of the worker are killed at random moments. Each reply is done once, or unknown. No model is
 * asked twice for one, and none is lost.
 */

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { defaultLimits, limitsVariable } from '../../../lib/base/stage-limits.ts';
import { modelVariables } from '../../../lib/models/models.ts';
import { loopbackVariable } from '../../../lib/network/network.ts';
import { leaseMs } from '../../../lib/replies/reply.ts';
import { type Notice, writeNotice } from '../../../lib/workers/notice.ts';
import { type Json, storedOf } from '../../../samples/api.ts';
import replyRunner from '../../../workers/reply-runner.ts';
import { chanceOf, killable } from '../../support/killable.ts';
import { openReplies, testModel } from '../../support/replies.ts';

const count = 200;
const processes = 3;
/** Half of the processes are killed, until so many were. */
const kills = 15;
const latestKillMs = 3000;
const pieces = 8;
const piecePauseMs = 100;
const mostTimers = 20;
const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));
const chance = chanceOf(seed);

type Api = Awaited<ReturnType<typeof openReplies>>;

/** How often the model was asked each question. */
const asked = new Map<string, number>();

const answerTo = (question: string) =>
  Array.from({ length: pieces }, (_, index) => `${question}, part ${index + 1}. `).join('');

const model = createServer(async (request, response) => {
  const { messages } = (await json(request)) as { messages: { content: unknown }[] };
  const question = [...JSON.stringify(messages.at(-1)).matchAll(/question \d+/g)].at(-1)?.[0] ?? '';
  asked.set(question, (asked.get(question) ?? 0) + 1);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  for (const [content] of answerTo(question).matchAll(/question.*?\. /g)) {
    send({ choices: [{ index: 0, delta: { content } }] });
    await sleep(piecePauseMs);
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 500, completion_tokens: 50 } });
  response.end('data: [DONE]\n\n');
}).listen(0, '127.0.0.1');
await once(model, 'listening');
afterAll(() => {
  model.closeAllConnections();
  model.close();
});

const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
const { live } = defaultLimits;
const run = killable(replyRunner, {
  ...modelVariables([{ ...testModel, endpoint: { baseUrl, model: testModel.id } }]),
  [limitsVariable]: JSON.stringify({
    ...defaultLimits,
    live: { ...live, quotas: { ...live.quotas, modelCostUsd: 1000 } },
  }),
  [loopbackVariable]: 'true',
});

/** What has waited is sent again when the time of the function is over that has sent it. The processes have a real clock, so that would take minutes. */
async function forgetSent(api: Api): Promise<void> {
  const { client, tableNames } = api.runtime;
  const waiting = (await storedOf(api, 'schedule')).filter(({ tenant }) => `${tenant}`.endsWith('#queue'));
  for (const item of waiting)
    await client.send(new PutCommand({ TableName: tableNames.schedule, Item: { ...item, sentMs: 0 } }));
}

/** As the scheduler sends it (lib/workers/places.ts). */
const timerNotice = ([notice]: readonly Notice[]): Notice => {
  if (!notice) throw new Error('there is no notice');
  return { ...notice, table: 'schedule', partition: ['places'], id: replyRunner.id };
};

/** The queue: a notice comes again until a process has handled it. */
function openPool(first: readonly Notice[]) {
  const ready = [...first];
  let delayed = 0;
  return {
    take: () => ready.splice(0, replyRunner.batchSize),
    /** A notice that is in the queue twice may be handled at the same time. */
    add(notices: readonly Notice[], afterMs: number) {
      delayed += 1;
      void sleep(afterMs).then(() => {
        delayed -= 1;
        const known = new Set(ready.map(writeNotice));
        ready.push(...notices.filter((notice) => !known.has(writeNotice(notice))));
      });
    },
    isEmpty: () => ready.length === 0 && delayed === 0,
  };
}

test(`${count} replies at once under ${kills} kills are done once, or unknown`, {
  tags: ['nightly'],
}, async () => {
  console.log(`KILL_SEED=${seed}`);
  const api = await openReplies();
  await api.deploy();
  const conversations: { path: string; reply: string; question: string }[] = [];
  for (let number = 0; number < count; number += 1) {
    const path = await api.converse();
    const question = `question ${number}`;
    const body = { target: { environment: 'production' }, input: { text: question } };
    const { status, data, text } = await api.ask(path, body);
    expect(status, text).toBe(202);
    conversations.push({ path, reply: `${path}/replies/${data.id}`, question });
  }
  const first = await api.notices();
  expect(first).toHaveLength(count);
  let killed = 0;
  const work = async (begun: readonly Notice[]) => {
    const pool = openPool(begun);
    let busy = 0;
    const process = async () => {
      while (!pool.isEmpty() || busy > 0) {
        const notices = pool.take();
        if (notices.length === 0) {
          await sleep(100);
          continue;
        }
        busy += 1;
        const isDoomed = killed < kills && chance() < 0.5;
        const { end, left, sent } = await run(notices, isDoomed ? chance() * latestKillMs : undefined);
        if (end === 'SIGKILL') killed += 1;
        pool.add(
          [...new Map([...left, ...sent].map((notice) => [writeNotice(notice), notice])).values()],
          1000,
        );
        busy -= 1;
      }
    };
    await Promise.all(Array.from({ length: processes }, process));
  };
  await work(first);
  // A process that is killed before it sends a notice that has waited leaves it to the timer.
  for (let timers = 0; (await api.notices()).length > 0 && timers < mostTimers; timers += 1) {
    await forgetSent(api);
    await work([timerNotice(first)]);
  }
  // Nobody waits any more for a place, and every lease is over.
  await sleep(leaseMs + 1000);

  const ends = await Promise.all(
    conversations.map(async ({ path, reply, question }) => {
      const { data } = await api.call('GET', reply);
      const answers = (await api.transcript(path)).filter(({ role }) => role === 'avatar');
      return { question, status: String(data.status), id: data.messageId, answers };
    }),
  );
  const byStatus = Object.groupBy(ends, ({ status }) => status);
  console.log(Object.entries(byStatus).map(([status, all]) => `${status}: ${all?.length}`));
  expect(Object.keys(byStatus).filter((status) => status !== 'done' && status !== 'unknown')).toEqual([]);
  for (const { question, id, answers } of byStatus.done ?? []) {
    expect(
      answers.map(({ id, text }: Json) => ({ id, text })),
      question,
    ).toEqual([{ id, text: answerTo(question).trim() }]);
    expect(asked.get(question), question).toBe(1);
  }
  for (const { question, answers } of byStatus.unknown ?? []) {
    expect(answers, question).toEqual([]);
    expect(asked.get(question) ?? 0, question).toBeLessThanOrEqual(1);
  }
  expect(killed).toBe(kills);
  expect(byStatus.done?.length ?? 0).toBeGreaterThan(byStatus.unknown?.length ?? 0);
  expect(byStatus.unknown?.length ?? 0).toBeGreaterThan(0);
});
