/** The vectors of a version: computed once for each text, in steps that can be killed, and in the order of the index. */

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { reindex } from '../../../lib/indexing/jobs/reindex.ts';
import { silentMs } from '../../../lib/jobs/busy.ts';
import { EncoderMissing, openEncoder, useEncoder } from '../../../lib/search/semantic/encoder.ts';
import { forEachNotice } from '../../../lib/workers/worker.ts';
import { type Json, jobNotice, stepNotices, storedOf } from '../../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../../samples/lambda-queue.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { countingEncoder, silentEncoder } from '../../support/encoders.ts';
import { intercept } from '../../support/faults.ts';
import { type Knowledge, longDocument, openKnowledge } from '../../support/knowledge.ts';
import { remember } from '../../support/rewind.ts';
import { versionIn } from '../../support/stored-version.ts';
import { resumeAndGoOn, suspendNow, waitingOf } from '../../support/suspensions.ts';
import { follow, mortal } from '../../support/workers.ts';

let encoder = countingEncoder();

beforeEach(() => {
  encoder = countingEncoder();
  useEncoder(encoder.source);
});
afterEach(() => useEncoder(silentEncoder));

async function openBook(adjust?: Parameters<typeof openKnowledge>[0]) {
  const api = await openKnowledge(adjust);
  const first = await api.create(longDocument('First', 200, 'whale'));
  const second = await api.create(longDocument('Second', 200, 'squid'));
  return { ...api, first, second, tenant: `${api.organisationId}#live` as const };
}

const request = async ({ call, project }: Knowledge) =>
  (await call('POST', `${project}/knowledge/reindex`)).data;
const shown = async ({ call, project }: Knowledge, id: unknown) =>
  (await call('GET', `${project}/jobs/${id}`)).data;
const versionOf = (job: Json) => (job.result as { indexVersion: string }).indexVersion;

/** Runs the indexer only, as its first notice does. */
const index = (api: Awaited<ReturnType<typeof openBook>>, id: unknown) =>
  deliverNotices(api.runtime, knowledgeIndexer, [jobNotice(api.tenant, api.projectId, String(id))]);

const encode = async (api: Awaited<ReturnType<typeof openBook>>, count = Number.POSITIVE_INFINITY) => {
  for (const step of (await stepNotices(api.tenant, api.projectId)).slice(0, count)) {
    await deliverNotices(api.runtime, knowledgeIndexer, [step]);
  }
};

/** Every piece has the vector of its text. */
async function expectComplete(api: Knowledge, id: string): Promise<void> {
  const { vectors, meant } = await versionIn(api, id);
  expect(vectors.count).toBeGreaterThan(0);
  expect(vectors).toEqual(meant);
}

describe('a re-index', () => {
  test('computes a few vectors at once, and the version has them in the order of its pieces', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    await api.create({ title: 'Returns', content: 'Refunds within 30 days.' });
    await api.create({ title: 'Japanese', content: '返品できます。' });
    const job = await api.reindex();
    expect(job).toMatchObject({ status: 'succeeded', result: { chunks: 2 } });
    expect(encoder.texts).toHaveLength(2);
    await expectComplete(api, versionOf(job));
  });

  test('of the same documents computes nothing, and of others only the new texts', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    await api.create({ title: 'one', content: 'a word' });
    const { id } = await api.create({ title: 'two', content: 'another word' });
    await api.reindex();
    encoder.texts.length = 0;
    expect(await api.reindex()).toMatchObject({ result: { changed: false } });
    expect(encoder.texts).toEqual([]);
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'a third one' } });
    await api.create({ title: 'one', content: 'a word' });
    const job = await api.reindex();
    expect(encoder.texts).toEqual(['two\na third one']);
    await expectComplete(api, versionOf(job));
    encoder.texts.length = 0;
    await api.call('PATCH', `${api.path}/${id}`, { body: { tags: ['a-tag'] } });
    expect(await api.reindex()).toMatchObject({ result: { changed: true } });
    expect(encoder.texts).toEqual([]);
  });

  test('under another model computes all, and is another version', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    await api.create({ content: 'a word' });
    const first = await api.reindex();
    const other = countingEncoder('counting-2');
    useEncoder(other.source);
    const second = await api.reindex();
    expect(other.texts).toHaveLength(1);
    expect(versionOf(second)).not.toBe(versionOf(first));
    await expectComplete(api, versionOf(second));
  });

  test('on a machine without the library of the model is by words, says so, and is another version', {
    tags: ['long'],
  }, async () => {
    const api = await openKnowledge();
    await api.create({ title: 'Refunds', content: 'a word' });
    const nowhere = '/nowhere/onnxruntime-node';
    useEncoder({ model: encoder.source.model, load: () => openEncoder(() => import(nowhere)) });
    const first = await api.reindex();
    expect(first).toMatchObject({
      status: 'succeeded',
      result: { changed: true, chunks: 1, mode: 'lexical' },
    });
    expect(await api.reindex()).toMatchObject({
      result: { ...(first.result as Json), changed: false },
    });
    const search = async () => (await api.call('GET', `${api.project}/knowledge/search?q=money%20word`)).data;
    expect(await search()).toMatchObject({ mode: 'lexical', items: [{ title: 'Refunds' }] });
    expect(api.faultLines()).toMatchObject([
      { level: 'warn', message: 'index without meanings', tenant: `${api.organisationId}#live` },
      { message: 'index without meanings', fault: expect.any(EncoderMissing) },
    ]);
    // With the library again.
    useEncoder(encoder.source);
    const second = await api.reindex();
    expect(second).toMatchObject({ result: { changed: true, mode: 'hybrid' } });
    expect(versionOf(second)).not.toBe(versionOf(first));
    await expectComplete(api, versionOf(second));
    expect((await search()).mode).toBe('hybrid');
    // Meanings that are there stay.
    useEncoder({ model: encoder.source.model, load: () => Promise.reject(new EncoderMissing('none')) });
    expect(await api.reindex()).toMatchObject({ result: { ...(second.result as Json), changed: false } });
  });

  test('whose model cannot be loaded for another reason comes again', async () => {
    const api = await openKnowledge();
    await api.create();
    useEncoder({ model: encoder.source.model, load: () => Promise.reject(new Error('no memory')) });
    await expect(api.reindex()).rejects.toThrow('no memory');
    useEncoder(encoder.source);
    api.advance(silentMs);
    expect(await api.reindex()).toMatchObject({ status: 'succeeded', result: { mode: 'hybrid' } });
  });

  test('with many new pieces waits for steps, shows how far they are, and publishes after the last', {
    tags: ['long'],
  }, async () => {
    const api = await openBook();
    const { id } = await request(api);
    await index(api, id);
    expect(await shown(api, id)).toMatchObject({
      status: 'running',
      progress: { total: 2, done: 2, failed: 0, pieces: { total: 400, done: 0 } },
    });
    expect(encoder.texts).toEqual([]);
    // A notice that comes again changes nothing.
    await index(api, id);
    await encode(api, 1);
    expect(await shown(api, id)).toMatchObject({
      status: 'running',
      progress: { pieces: { total: 400, done: 256 } },
    });
    await index(api, id);
    expect((await api.call('GET', `${api.project}/knowledge/search?q=whale`)).error.code).toBe('not_indexed');
    await encode(api);
    await index(api, id);
    const job = await shown(api, id);
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: { total: 2, pieces: { total: 400, done: 400 } },
    });
    expect(encoder.texts).toHaveLength(400);
    await expectComplete(api, versionOf(job));
    expect((await storedOf(api, 'jobs')).filter(({ tenant }) => `${tenant}`.endsWith('#encoding'))).toEqual(
      [],
    );
  });

  /** Changes a piece in each of both parts. */
  async function changeBoth(api: Awaited<ReturnType<typeof openBook>>) {
    for (const [{ id }, word] of [
      [api.first, 'whale'],
      [api.second, 'squid'],
    ] as const) {
      const content = longDocument('', 200, word).content.replace(
        'number 150.',
        'number one hundred and fifty.',
      );
      await api.call('PATCH', `${api.path}/${id}`, { body: { content } });
    }
    encoder.texts.length = 0;
    return (await request(api)).id;
  }

  test('computes the few that each part lacks at once, without writing the parts again by steps', {
    tags: ['long'],
  }, async () => {
    const api = await openBook();
    await api.reindex();
    const id = await changeBoth(api);
    await index(api, id);
    const job = await shown(api, id);
    expect(job).toMatchObject({ status: 'succeeded', result: { chunks: 400 } });
    expect(encoder.texts).toHaveLength(2);
    await expectComplete(api, versionOf(job));
  });

  test('computes a limited number at once, and the others by steps', { tags: ['long'] }, async () => {
    const api = await openBook();
    await api.reindex();
    const id = String(await changeBoth(api));
    const limited = {
      ...knowledgeIndexer,
      handle: forEachNotice((store, notice, input) => reindex(store, notice.id, input, { maxAtOnce: 1 })),
    };
    await deliverNotices(api.runtime, limited, [jobNotice(api.tenant, api.projectId, id)]);
    expect(encoder.texts).toHaveLength(1);
    expect(await shown(api, id)).toMatchObject({ progress: { pieces: { total: 1, done: 0 } } });
    await encode(api);
    await index(api, id);
    expect(await shown(api, id)).toMatchObject({ status: 'succeeded' });
    expect(encoder.texts).toHaveLength(2);
    await expectComplete(api, versionOf(await shown(api, id)));
  });

  test('goes on by itself, with the jobs behind it', { tags: ['long'] }, async () => {
    const api = await openBook();
    const followers = await follow(api, [knowledgeIndexer]);
    const { id } = await request(api);
    await api.call('PATCH', `${api.path}/${api.second.id}`, { body: { title: 'Another' } });
    const expunged = await api.call('DELETE', `${api.path}/${api.first.id}?expunge=true`);
    await followers.settled();
    await followers.stop();
    expect(await shown(api, id)).toMatchObject({ status: 'succeeded' });
    expect(await shown(api, expunged.data.id)).toMatchObject({
      status: 'succeeded',
      result: { expunged: 1 },
    });
    expect(followers.deadLetters()).toEqual([]);
  });

  test('that is cancelled leaves its vectors to the next one', { tags: ['long'] }, async () => {
    const api = await openBook();
    const { id } = await request(api);
    await index(api, id);
    await encode(api, 1);
    await api.call('POST', `${api.project}/jobs/${id}/cancel`);
    await encode(api);
    expect(await stepNotices(api.tenant, api.projectId)).toEqual([]);
    expect(encoder.texts).toHaveLength(256);
    const job = await api.reindex();
    expect(job).toMatchObject({ status: 'succeeded' });
    expect(encoder.texts).toHaveLength(400);
    await expectComplete(api, versionOf(job));
  });

  test('that does not end in time fails, and the job behind it runs', { tags: ['long'] }, async () => {
    const api = await openBook();
    const { id } = await request(api);
    await index(api, id);
    api.advance(6 * hourMs);
    const { id: next } = await request(api);
    expect(next).not.toBe(id);
    await encode(api);
    expect(await shown(api, id)).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } });
    await api.workOff(api.projectId, String(next));
    expect(await shown(api, next)).toMatchObject({ status: 'succeeded' });
  });

  test('a step of another tenant changes nothing', { tags: ['long'] }, async () => {
    const [api, other] = [await openBook(), await openBook()];
    const [{ id }, { id: otherId }] = [await request(api), await request(other)];
    await index(api, id);
    await index(other, otherId);
    await encode(api);
    expect(await shown(other, otherId)).toMatchObject({ progress: { pieces: { done: 0 } } });
    await index(api, id);
    expect(await shown(api, id)).toMatchObject({ status: 'succeeded' });
    expect((await shown(other, otherId)).status).toBe('running');
  });
});

/** @returns a requested job, and its run, which is killed when it hands over to its steps */
async function openDying() {
  let isDying = false;
  const api = await openBook(({ client }) => ({
    client: intercept(client, (command) => {
      const isHandOver =
        command instanceof TransactWriteCommand && JSON.stringify(command.input).includes('":encoding"');
      return isDying && isHandOver ? Promise.reject(new Error('killed')) : undefined;
    }),
  }));
  const { id } = await request(api);
  const indexAndDie = async () => {
    isDying = true;
    await expect(index(api, id)).rejects.toThrow('killed');
    isDying = false;
  };
  return { api, id, indexAndDie };
}

describe('a step', () => {
  test('that comes twice, at once or later, counts once', { tags: ['long'] }, async () => {
    const api = await openBook();
    const { id } = await request(api);
    await index(api, id);
    const steps = await stepNotices(api.tenant, api.projectId);
    const all = [...steps, ...steps].map((step) => deliverNotices(api.runtime, knowledgeIndexer, [step]));
    await Promise.all(all);
    for (const step of steps) await deliverNotices(api.runtime, knowledgeIndexer, [step]);
    expect(await shown(api, id)).toMatchObject({ progress: { pieces: { total: 400, done: 400 } } });
    await index(api, id);
    await expectComplete(api, versionOf(await shown(api, id)));
  });

  test('of many pieces takes several turns, which store what they have computed', {
    tags: ['long'],
  }, async () => {
    const api = await openBook();
    const { id } = await request(api);
    await index(api, id);
    const [first] = await stepNotices(api.tenant, api.projectId);
    if (!first) throw new Error('there is no step');
    const inShortTurns = { ...api.runtime, turnMs: 0 };
    const turn = () => endsTurn(deliverNotices(inShortTurns, knowledgeIndexer, [first]));
    for (let done = 16; done < 256; done += 16) {
      expect(await turn()).toBe(true);
      expect(await shown(api, id)).toMatchObject({ progress: { pieces: { total: 400, done } } });
    }
    expect(await turn()).toBe(false);
    await encode(api);
    await index(api, id);
    expect(await shown(api, id)).toMatchObject({ progress: { pieces: { total: 400, done: 400 } } });
    expect(encoder.texts).toHaveLength(400);
    await expectComplete(api, versionOf(await shown(api, id)));
    expect(api.faultLines()).toEqual([]);
  });

  test('that comes before its job waits for it comes again', { tags: ['long'] }, async () => {
    const { api, id, indexAndDie } = await openDying();
    await indexAndDie();
    const [step] = await stepNotices(api.tenant, api.projectId);
    if (!step) throw new Error('there is no step');
    await expect(deliverNotices(api.runtime, knowledgeIndexer, [step])).rejects.toThrow();
    expect(encoder.texts).toEqual([]);
    await api.workOff(api.projectId, String(id));
    expect(await shown(api, id)).toMatchObject({ status: 'succeeded' });
    await expectComplete(api, versionOf(await shown(api, id)));
  });

  test('of an earlier plan, whose part is complete in the present one, is dropped', {
    tags: ['long'],
  }, async () => {
    const { api, id, indexAndDie } = await openDying();
    await indexAndDie();
    const early = await stepNotices(api.tenant, api.projectId);
    expect(early).toHaveLength(2);
    // The next run reads fewer documents.
    await api.call('DELETE', `${api.path}/${api.first.id}`);
    await index(api, id);
    // The last part is not in the present plan, which has one part.
    for (const step of early.toReversed()) await deliverNotices(api.runtime, knowledgeIndexer, [step]);
    await index(api, id);
    const job = await shown(api, id);
    expect(job).toMatchObject({ status: 'succeeded', result: { chunks: 200 } });
    await expectComplete(api, versionOf(job));
    expect(await stepNotices(api.tenant, api.projectId)).toEqual([]);
  });
});

// Not at every call: neighbours differ little.
describe.each([
  [25, 'long'],
  [3, 'nightly'],
] as const)('a re-index whose workers are killed at one of %i calls', (distance, tag) => {
  test('before or after it ends with the same version, and computes no vector twice that was stored', {
    tags: [tag],
  }, async () => {
    let life = { callsLeft: Number.POSITIVE_INFINITY, afterwards: false, calls: 0 };
    const api = await openKnowledge(({ client }) => {
      const dying = mortal(client);
      life = dying.life;
      return { client: dying.client, sleep: async () => {} };
    });
    await api.create(longDocument('Long'));
    await api.create({ title: 'Short', content: 'a squid' });
    const { id } = await request(api);
    const rewind = await remember(api);
    life.calls = 0;
    await api.workOff(api.projectId, String(id));
    const { calls } = life;
    const whole = versionOf(await shown(api, id));
    expect(encoder.texts).toHaveLength(81);
    const points = Array.from({ length: calls }, (_, at) => at + 1).filter((point) => point % distance === 1);
    for (const point of points) {
      await rewind();
      encoder.texts.length = 0;
      life.afterwards = point % 2 === 0;
      life.callsLeft = point;
      await api.workOff(api.projectId, String(id)).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      await api.workOff(api.projectId, String(id));
      const job = await shown(api, id);
      expect(job, `${point}`).toMatchObject({ status: 'succeeded', result: { indexVersion: whole } });
      await expectComplete(api, whole);
      expect([0, 81, 162]).toContain(encoder.texts.length);
      expect(await stepNotices(`${api.organisationId}#live`, api.projectId)).toEqual([]);
    }
  });
});

describe('while its organisation is suspended, a re-index', () => {
  test('computes nothing, and continues when it is resumed', { tags: ['long'] }, async () => {
    const api = await openBook();
    const { id } = await request(api);
    await index(api, id);
    await suspendNow(api);
    await encode(api);
    expect(encoder.texts).toEqual([]);
    expect(await waitingOf(api)).toHaveLength(2);
    await resumeAndGoOn(api);
    await index(api, id);
    expect(await shown(api, id)).toMatchObject({ status: 'succeeded' });
    expect(await waitingOf(api)).toEqual([]);
  });

  test('goes on if an expunge waits for it', { tags: ['long'] }, async () => {
    const api = await openBook();
    const { id } = await request(api);
    await index(api, id);
    const { data: expunge } = await api.call('DELETE', `${api.path}/${api.first.id}?expunge=true`);
    await index(api, expunge.id);
    expect((await shown(api, expunge.id)).status).toBe('queued');
    await suspendNow(api);
    await encode(api);
    // The notice of the last step.
    await index(api, id);
    await resumeAndGoOn(api);
    expect(await shown(api, expunge.id)).toMatchObject({ status: 'succeeded', result: { expunged: 1 } });
    const { data } = await api.call('GET', `${api.project}/knowledge/search?q=whale&mode=lexical`);
    expect(data.items).toEqual([]);
    await expectComplete(api, String(data.indexVersion));
  });
});
