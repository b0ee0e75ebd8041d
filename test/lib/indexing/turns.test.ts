/** A re-index in turns that end after each piece: each promise holds between two of them. */

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { betweenTurns } from '../../../lib/jobs/run.ts';
import { useEncoder } from '../../../lib/search/semantic/encoder.ts';
import type { Notice } from '../../../lib/workers/notice.ts';
import { type Json, jobNotice, stepNotices, storedOf } from '../../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../../samples/lambda-queue.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { countingEncoder, silentEncoder } from '../../support/encoders.ts';
import { intercept } from '../../support/faults.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';
import { remember } from '../../support/rewind.ts';
import { versionIn } from '../../support/stored-version.ts';
import { resumeAndGoOn, suspendNow } from '../../support/suspensions.ts';
import { deliverInTurns } from '../../support/turns.ts';

let encoder = countingEncoder();

beforeEach(() => {
  encoder = countingEncoder();
  useEncoder(encoder.source);
});
afterEach(() => useEncoder(silentEncoder));

/** More blocks than a turn writes before it stores its position. */
const documentCount = 205;

const tenantOf = ({ organisationId }: Knowledge) => `${organisationId}#live` as const;
const noticeOf = (api: Knowledge, job: string) => jobNotice(tenantOf(api), api.projectId, job);
const shown = async ({ call, project }: Knowledge, job: string) =>
  (await call('GET', `${project}/jobs/${job}`)).data;
const versionOf = (job: Json) => (job.result as { indexVersion: string }).indexVersion;
const publishedBy = async ({ call, project }: Knowledge) =>
  (await call('GET', `${project}/knowledge/search?q=word&mode=lexical`)).data.indexVersion;

async function putAll(api: Knowledge, word: string): Promise<void> {
  for (let from = 0; from < documentCount; from += 25) {
    const numbers = Array.from({ length: Math.min(25, documentCount - from) }, (_, at) => from + at);
    await api.batch(
      numbers.map((at) => ({ externalId: `${at}`, title: 'a word', content: `${word} ${at}` })),
    );
  }
}

/** A project with a version, whose documents have all changed since, and a job for them. */
async function openChanged() {
  const api = await openKnowledge();
  await putAll(api, 'old');
  const before = versionOf(await api.reindex());
  await putAll(api, 'new');
  const job = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
  encoder.texts.length = 0;
  return { ...api, before, job };
}

/**
 * Does the job and its steps in turns.
 * @param between runs after each turn that has ended before its work @returns their number
 */
async function workInTurns(
  api: Knowledge & { job: string },
  between: (turns: number) => Promise<unknown> = async () => {},
): Promise<number> {
  let turns = 0;
  const work = async (notice: Notice) => {
    while (await endsTurn(deliverNotices({ ...api.runtime, turnMs: 0 }, knowledgeIndexer, [notice]))) {
      turns += 1;
      await between(turns);
    }
  };
  for (;;) {
    await work(noticeOf(api, api.job));
    const steps = await stepNotices(tenantOf(api), api.projectId);
    if (steps.length === 0) return turns;
    for (const step of steps) await work(step);
  }
}

const storedJob = async (api: Knowledge & { job: string }) =>
  (await storedOf(api, 'jobs')).find(({ id }) => id === api.job);

describe('a re-index in turns', () => {
  test('makes the same version, and has no owner and no failed attempt between two turns', {
    tags: ['long'],
  }, async () => {
    const api = await openChanged();
    const rewind = await remember(api);
    await api.workOff(api.projectId, api.job);
    const whole = await shown(api, api.job);
    await rewind();
    encoder.texts.length = 0;
    const turns = await workInTurns(api, async () => {
      const { attempt, attempts } = (await storedJob(api)) ?? {};
      // While the steps of the encoder run, the job waits for them.
      expect(['', betweenTurns]).toContain(attempt);
      expect(attempts).toBe(0);
    });
    // 2 with blocks, 12 of the step, 10 of the documents, and 2 of the parts of the version before.
    expect(turns).toBeGreaterThan(20);
    const job = await shown(api, api.job);
    expect(job).toMatchObject({ status: 'succeeded', result: whole.result, progress: whole.progress });
    expect(encoder.texts).toHaveLength(documentCount);
    const { vectors, meant } = await versionIn(api, versionOf(job));
    expect(vectors).toEqual(meant);
    expect(await api.listed('status=pending')).toEqual([]);
    const [, first] = (await api.call('GET', `${api.project}/jobs`)).data.items as Json[];
    const parts = await api.partsOf(`${first?.id}`);
    expect(parts.filter(({ ttl }) => ttl === undefined)).toEqual([]);
    expect(api.faultLines()).toEqual([]);
  });

  test('that is cancelled between two turns publishes nothing afterwards', { tags: ['long'] }, async () => {
    const api = await openChanged();
    const rewind = await remember(api);
    for (let point = 1, isPublished = false; !isPublished; point += 5) {
      await rewind();
      await workInTurns(api, async (turn) => {
        if (turn !== point) return;
        isPublished = (await publishedBy(api)) !== api.before;
        const { status } = await api.call('POST', `${api.project}/jobs/${api.job}/cancel`);
        expect(status, `after turn ${point}`).toBe(isPublished ? 409 : 200);
      });
      const end = isPublished ? 'succeeded' : 'cancelled';
      expect(await shown(api, api.job), `after turn ${point}`).toMatchObject({ status: end });
      expect((await publishedBy(api)) === api.before, `after turn ${point}`).toBe(!isPublished);
      expect(await stepNotices(tenantOf(api), api.projectId)).toEqual([]);
    }
  });

  test('waits between two turns while its organisation is suspended', { tags: ['long'] }, async () => {
    const api = await openChanged();
    let isSuspended = false;
    await workInTurns(api, async () => {
      isSuspended ||= (await suspendNow(api)) !== '';
    });
    expect(isSuspended).toBe(true);
    expect(await publishedBy(api)).toBeUndefined();
    await resumeAndGoOn(api);
    await workInTurns(api);
    expect(await shown(api, api.job)).toMatchObject({ status: 'succeeded', result: { changed: true } });
  });

  test('whose notice comes twice in each turn makes one version', { tags: ['long'] }, async () => {
    const api = await openChanged();
    const twice = () =>
      Promise.allSettled([1, 2].map(() => workInTurns(api))).then((ends) =>
        ends.every(({ status }) => status === 'fulfilled'),
      );
    while (!(await twice()));
    expect(await shown(api, api.job)).toMatchObject({
      status: 'succeeded',
      result: { documents: documentCount },
    });
    const { vectors, meant } = await versionIn(api, versionOf(await shown(api, api.job)));
    expect(vectors).toEqual(meant);
  });

  test('ends although a document changes in each of them', { tags: ['long'] }, async () => {
    let change = async () => {};
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (command, proceed) =>
        command instanceof TransactWriteCommand && JSON.stringify(command.input).includes('"id":"block-')
          ? change().then(proceed)
          : undefined,
      ),
    }));
    const { id } = await api.create({ content: 'a word' });
    let changes = 0;
    change = async () => {
      changes += 1;
      await api.call('PATCH', `${api.path}/${id}`, { body: { content: `word ${changes}` } });
    };
    const job = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
    await deliverInTurns({ ...api.runtime, turnMs: 0 }, knowledgeIndexer, [noticeOf(api, job)]);
    expect(changes).toBe(5);
    expect(await shown(api, job)).toMatchObject({ status: 'succeeded', result: { documents: 1 } });
    expect(await api.listed('status=pending')).toHaveLength(1);
  });
});

test('an expunge in turns copies each block once, and the version without the document is complete', {
  tags: ['long'],
}, async () => {
  let blocks = 0;
  const api = await openKnowledge(({ client }) => ({
    client: intercept(client, (command) => {
      const items = command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [];
      blocks += items.filter(({ Put }) => `${Put?.Item?.id}`.startsWith('block-')).length;
      return undefined;
    }),
  }));
  await putAll(api, 'old');
  const before = versionOf(await api.reindex());
  const [document] = await api.listed();
  blocks = 0;
  const { data } = await api.call('DELETE', `${api.path}/${document?.id}?expunge=true`);
  const job = data.id as string;
  const turns = await workInTurns({ ...api, job }, async () => {
    expect(await storedJob({ ...api, job })).toMatchObject({ attempt: betweenTurns, attempts: 0 });
  });
  // 21 blocks, 8 at a time.
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(blocks).toBe(21);
  expect(await shown(api, job)).toMatchObject({
    status: 'succeeded',
    result: { expunged: 1, replacedVersions: 1 },
  });
  const version = `${await publishedBy(api)}`;
  expect(version).not.toBe(before);
  const { vectors, meant } = await versionIn(api, version);
  expect(vectors.count).toBe(documentCount - 1);
  expect(vectors).toEqual(meant);
});
