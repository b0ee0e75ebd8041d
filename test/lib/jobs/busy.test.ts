/** Jobs that run one after another: a burst of them leaves the run of the job before them alone. */

import { describe, expect, test } from 'vitest';
import { silentMs } from '../../../lib/jobs/busy.ts';
import { createWorkerHandler } from '../../../lib/workers/handler.ts';
import type { Worker } from '../../../lib/workers/worker.ts';
import { type Json, jobNotice, openApi, type TestApi } from '../../../samples/api.ts';
import { queueEvent, recordingQueue } from '../../../samples/lambda-queue.ts';
import conversationReindexer from '../../../workers/conversation-reindexer.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { intercept } from '../../support/faults.ts';
import { dueNotices } from '../../support/schedule.ts';

/** More than a job has attempts. */
const count = 12;
const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

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
  /** @returns the jobs whose notices come at once, or come again because of a fault */
  const deliver = async (job: string, adjust: Partial<TestApi['runtime']> = {}): Promise<string[]> => {
    const { queue, sentAgain } = recordingQueue();
    const notice = jobNotice(`${api.organisationId}#live`, projectId, job);
    const handler = createWorkerHandler(worker, { ...api.runtime, ...adjust }, queue);
    const { batchItemFailures } = await handler(queueEvent([notice]), {});
    for (const { seconds } of sentAgain) expect(seconds).toBe(0);
    return [...sentAgain.map(({ notice: { id } }) => id), ...batchItemFailures.map(() => job)];
  };
  /** Delivers what comes at once, and then what that starts. @returns the jobs, in this order */
  const deliverAll = async (first: string, adjust: Partial<TestApi['runtime']> = {}): Promise<string[]> => {
    const order = [first];
    for (const job of order) order.push(...(await deliver(job, adjust)));
    return order;
  };
  return { ...api, at, path: `/projects/${projectId}`, deliver, deliverAll };
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
  test('waits without a notice, and each end starts the next job', { tags: ['long'] }, async () => {
    const { api, first, request, left } = await openExpunges();
    let jobs: string[] = [];
    api.at.act = async () => {
      jobs = await request();
      for (const job of jobs) expect(await api.deliver(job)).toEqual([]);
    };
    api.at.call = 14;
    expect(await api.deliverAll(first)).toEqual([first, ...jobs]);
    expect(new Set(jobs).size).toBe(count);
    expect(await statusesOf(api)).toEqual(Array(count + 1).fill('succeeded'));
    expect(await left()).toHaveLength(1 + count / 2);
    expect(api.faultLines()).toEqual([]);
  });

  test('takes it over if it has written nothing for two minutes: the schedule sends the notice', async () => {
    const { api, first, request } = await openExpunges();
    api.at.act = async () => {
      throw new Error('killed');
    };
    api.at.call = 14;
    expect(await api.deliver(first)).toEqual([first]);
    const [job = ''] = await request();
    expect(await api.deliver(job)).toEqual([]);
    expect((await dueNotices(api)).map(({ id }) => id)).toContain(job);
    api.advance(silentMs);
    expect(await api.deliverAll(job)).toContain(job);
    const statuses = await statusesOf(api);
    expect(statuses).toEqual(Array(count + 1).fill('succeeded'));
  });

  test('waits any number of times without a fault', { tags: ['long'] }, async () => {
    const { api, first, request } = await openExpunges();
    let job = '';
    api.at.act = async () => {
      [job = ''] = await request();
      for (let times = 0; times < 2 * count; times += 1) {
        api.advance(silentMs / (4 * count));
        expect(await api.deliver(job)).toEqual([]);
      }
    };
    api.at.call = 14;
    expect(await api.deliver(first)).toEqual([job]);
    expect(api.faultLines()).toEqual([]);
  });

  test('waits behind a re-index of conversations, too, also between two of its turns', async () => {
    const api = await openBurst(conversationReindexer);
    for (const _ of [1, 2]) await ask(api, 'POST', `${api.path}/conversations`, { avatarId });
    const first = await ask(api, 'POST', `${api.path}/conversations/reindex`);
    let second = '';
    api.at.act = async () => {
      second = await ask(api, 'POST', `${api.path}/conversations/reindex`);
      expect(await api.deliver(second)).toEqual([]);
    };
    // After it has claimed the job.
    api.at.call = 8;
    const turnMs = 0;
    expect(await api.deliver(first, { turnMs })).toEqual([first]);
    expect(second).not.toBe('');
    expect(await api.deliver(second)).toEqual([]);
    const order = await api.deliverAll(first, { turnMs });
    expect([order.indexOf(second) > order.lastIndexOf(first), order.at(-1)]).toEqual([true, second]);
    expect(await statusesOf(api)).toEqual(['succeeded', 'succeeded']);
    expect(api.faultLines()).toEqual([]);
  });

  test('starts also when the job is cancelled between two turns, and once if the end comes twice', async () => {
    const api = await openBurst(conversationReindexer);
    for (const _ of [1, 2]) await ask(api, 'POST', `${api.path}/conversations`, { avatarId });
    const first = await ask(api, 'POST', `${api.path}/conversations/reindex`);
    expect(await api.deliver(first, { turnMs: 0 })).toEqual([first]);
    const second = await ask(api, 'POST', `${api.path}/conversations/reindex`);
    expect(await api.deliver(second)).toEqual([]);
    await api.call('POST', `${api.path}/jobs/${first}/cancel`);
    expect(await api.deliver(first)).toEqual([second]);
    // The run was killed before the notice of the second job was sent.
    expect(await api.deliver(first)).toEqual([second]);
    expect(await api.deliverAll(second)).toEqual([second]);
    expect(await api.deliver(first)).toEqual([]);
    expect(await statusesOf(api)).toEqual(['succeeded', 'cancelled']);
  });
});
