/** Jobs that run one after another: a burst of them leaves the run of the job before them alone. */

import { describe, expect, test } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/base/time.ts';
import { JobBusy, silentMs } from '../../../lib/jobs/busy.ts';
import { createWorkerHandler } from '../../../lib/workers/handler.ts';
import type { Worker } from '../../../lib/workers/worker.ts';
import { type Json, jobNotice, openApi, type TestApi } from '../../../samples/api.ts';
import { queueEvent, recordingQueue } from '../../../samples/lambda-queue.ts';
import conversationReindexer from '../../../workers/conversation-reindexer.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { intercept } from '../../support/faults.ts';

/** More than a job has attempts. */
const count = 12;

/** A project whose first job does `act` at one call of its run. */
async function openBurst(worker: Worker) {
  const at = { call: Number.POSITIVE_INFINITY, act: async () => {} };
  const api = await openApi(({ client }) => ({
    client: intercept(client, (_, proceed) => {
      at.call -= 1;
      return at.call === 0 ? at.act().then(proceed) : undefined;
    }),
  }));
  const projectId = await api.createProject();
  const pauses: number[] = [];
  /** @returns whether the notice of the job comes again */
  const deliver = async (job: string): Promise<boolean> => {
    const { queue, sentAgain } = recordingQueue();
    const notice = jobNotice(`${api.organisationId}#live`, projectId, job);
    const { batchItemFailures } = await createWorkerHandler(
      worker,
      api.runtime,
      queue,
    )(queueEvent([notice]), {});
    pauses.push(...sentAgain.map(({ seconds }) => seconds));
    return batchItemFailures.length + sentAgain.length > 0;
  };
  return { ...api, at, path: `/projects/${projectId}`, pauses, deliver };
}

const ask = async ({ call }: TestApi, method: string, path: string, body?: Json): Promise<string> => {
  const { data, status, text } = await call(method, path, body ? { body } : {});
  if (status >= 300) throw new Error(text);
  return String(data.id);
};

async function openExpunges() {
  const api = await openBurst(knowledgeIndexer);
  const documents = `${api.path}/knowledge/documents`;
  const ids: string[] = [];
  for (let n = 0; n <= count; n += 1)
    ids.push(await ask(api, 'POST', documents, { title: `${n}`, content: `${n}` }));
  const first = await ask(api, 'POST', `${api.path}/knowledge/reindex`);
  /** Expunges and re-indexes by turns, because a request gets the queued job if that is of the same type. */
  const request = async () => {
    const jobs: string[] = [];
    for (const [n, id] of ids.slice(1).entries()) {
      const [method, path]: [string, string] =
        n % 2 === 0
          ? ['DELETE', `${documents}/${id}?expunge=true`]
          : ['POST', `${api.path}/knowledge/reindex`];
      jobs.push(await ask(api, method, path));
    }
    return jobs;
  };
  return { api, first, request, left: async () => (await api.call('GET', documents)).data.items as Json[] };
}

const statusesOf = async ({ call, path }: TestApi & { path: string }) =>
  ((await call('GET', `${path}/jobs`)).data.items as Json[]).map(({ status }) => status);

describe('a burst of jobs behind a job that runs', () => {
  test('waits without a fault, and takes no attempt from it', { tags: ['long'] }, async () => {
    const { api, first, request, left } = await openExpunges();
    let jobs: string[] = [];
    api.at.act = async () => {
      jobs = await request();
      for (const job of jobs) expect(await api.deliver(job)).toBe(true);
    };
    api.at.call = 14;
    expect(await api.deliver(first)).toBe(false);
    expect(new Set(jobs).size).toBe(count);
    expect(api.pauses).toEqual(Array(count).fill(5));
    for (const job of jobs) expect(await api.deliver(job)).toBe(false);
    expect(await statusesOf(api)).toEqual(Array(count + 1).fill('succeeded'));
    expect(await left()).toHaveLength(1 + count / 2);
    expect(api.faultLines()).toEqual([]);
  });

  test('takes it over if it has written nothing for two minutes', async () => {
    const { api, first, request } = await openExpunges();
    api.at.act = async () => {
      throw new Error('killed');
    };
    api.at.call = 14;
    expect(await api.deliver(first)).toBe(true);
    const [job = ''] = await request();
    expect(await api.deliver(job)).toBe(true);
    api.advance(silentMs);
    expect(await api.deliver(job)).toBe(false);
    expect((await api.call('GET', `${api.path}/jobs/${first}`)).data.status).toBe('succeeded');
  });

  test('waits behind a re-index of conversations, too', async () => {
    const api = await openBurst(conversationReindexer);
    const first = await ask(api, 'POST', `${api.path}/conversations/reindex`);
    let second = '';
    api.at.act = async () => {
      second = await ask(api, 'POST', `${api.path}/conversations/reindex`);
      expect(await api.deliver(second)).toBe(true);
    };
    // After it has claimed the job.
    api.at.call = 8;
    expect(await api.deliver(first)).toBe(false);
    expect(await api.deliver(second)).toBe(false);
    expect(await statusesOf(api)).toEqual(['succeeded', 'succeeded']);
    expect(api.faultLines()).toEqual([]);
  });
});

test.each([
  [0, 5],
  [30 * secondMs, 30],
  [10 * minuteMs, 120],
])('a pause is as long as the run before it has taken: %i ms, %i s', (sinceMs, seconds) => {
  const nowMs = Date.parse('2026-11-25T12:00:00Z');
  const startedAt = new Date(nowMs - sinceMs).toISOString();
  expect(new JobBusy({ startedAt }, nowMs).afterSeconds).toBe(seconds);
});
