/** Re-indexing with kills, races and faults: every job ends, and the published index is always one complete version. */

import { hash } from 'node:crypto';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { allScopes } from '../../../lib/base/scopes.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/base/time.ts';
import { silentMs } from '../../../lib/jobs/busy.ts';
import type { ApiResponse, Json } from '../../../samples/api.ts';
import { jobNotice, openApi, stepNotices } from '../../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../../samples/lambda-queue.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { intercept } from '../../support/faults.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';
import { remember } from '../../support/rewind.ts';

type Document = { id: string; status: string; indexVersion: string | null; error: { code: string } | null };

const documentsOf = async ({ call, path }: Knowledge) =>
  (await call('GET', `${path}?limit=100`)).data.items as Document[];

const foundIds = async ({ call, project }: Knowledge, word = 'word') =>
  ((await call('GET', `${project}/knowledge/search?limit=50&q=${word}`)).data.items as Json[]).map(
    ({ documentId }) => documentId as string,
  );

const versionOf = (job: Json) => (job.result as { indexVersion: string }).indexVersion;

/** What DynamoDB returns for a write of an item that is in another transaction. */
const conflictOf = ({ TransactItems }: TransactWriteCommandInput) => {
  const about = { message: 'conflict', $metadata: { httpStatusCode: 400 } };
  if (!TransactItems) return new TransactionConflictException(about);
  const CancellationReasons = TransactItems.map(() => ({ Code: 'TransactionConflict' }));
  return new TransactionCanceledException({ ...about, CancellationReasons });
};

describe('the version', () => {
  test('is the same for the same knowledge', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    const { id } = await api.create({ content: 'a word' });
    const first = await api.reindex();
    expect(first).toMatchObject({ status: 'succeeded', result: { changed: true, documents: 1, chunks: 1 } });
    const second = await api.reindex();
    expect(second.result).toEqual({ ...(first.result as Json), changed: false });
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'another word' } });
    const third = await api.reindex();
    expect(versionOf(third)).not.toBe(versionOf(first));
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'a word' } });
    const fourth = await api.reindex();
    expect(fourth.result).toEqual(first.result);
    expect(await foundIds(api)).toEqual([id]);
    expect(await documentsOf(api)).toMatchObject([{ status: 'indexed', indexVersion: versionOf(first) }]);
  });

  test('is shown by the documents that it first contained', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    await api.create({ content: 'one word' });
    const first = versionOf(await api.reindex());
    await api.create({ content: 'two words' });
    const second = versionOf(await api.reindex());
    expect(await documentsOf(api)).toMatchObject([{ indexVersion: second }, { indexVersion: first }]);
  });
});

test('one bad document fails alone; the job names it and the reason', async () => {
  const api = await openKnowledge();
  const good = await api.create({ content: 'a word' });
  const bad = await api.create({ content: '<p>\n</p><script>word()</script>', mimeType: 'text/html' });
  const job = await api.reindex();
  expect(job).toMatchObject({
    status: 'succeeded',
    progress: { total: 2, done: 2, failed: 1 },
    failures: [{ documentId: bad.id, code: 'no_text' }],
  });
  expect(await documentsOf(api)).toMatchObject([
    { id: bad.id, status: 'failed', error: { code: 'no_text' } },
    { id: good.id, status: 'indexed', error: null },
  ]);
  expect(await foundIds(api)).toEqual([good.id]);
});

test('HTML is found by its text and its headings, not by its markup', async () => {
  const api = await openKnowledge();
  const content = '<nav>menu</nav><h1>Opening</h1><p>nine&nbsp;to five</p><style>.red{}</style>';
  await api.create({ title: 'Hours', content, mimeType: 'text/html' });
  await api.reindex();
  const { data } = await api.call('GET', `${api.project}/knowledge/search?q=nine`);
  expect(data.items).toMatchObject([
    { heading: 'Opening', snippet: expect.stringContaining('nine to five') },
  ]);
  expect(await foundIds(api, 'menu')).toEqual([]);
  expect(await foundIds(api, 'red')).toEqual([]);
});

/** Words that stand in one document each, so different that none passes for another one misspelt. */
const words = Array.from({ length: 23 }, (_, index) => hash('md5', String(index)).replaceAll(/\d/g, 'z'));

/** A project with documents, a first index, and then a change of each kind. */
async function withChanges() {
  const dying = { callsLeft: Number.POSITIVE_INFINITY, afterwards: false, calls: 0 };
  const api = await openKnowledge(({ client }) => ({
    client: intercept(client, (_, proceed) => {
      dying.calls += 1;
      dying.callsLeft -= 1;
      if (dying.callsLeft > 0) return undefined;
      const dead = () => Promise.reject(new Error('killed'));
      return dying.callsLeft === 0 && dying.afterwards ? proceed().then(dead) : dead();
    }),
  }));
  const ids: string[] = [];
  for (const word of words.slice(0, 20)) ids.push((await api.create({ content: `a ${word}` })).id as string);
  const first = versionOf(await api.reindex());
  for (const word of words.slice(20)) ids.push((await api.create({ content: `a ${word}` })).id as string);
  await api.call('DELETE', `${api.path}/${ids[0]}`);
  await api.call('PATCH', `${api.path}/${ids[1]}`, { body: { content: 'a changed one' } });
  return { ...api, ids, first, dying };
}

/** Every document is in the index once, as it is. */
async function expectWhole(api: Awaited<ReturnType<typeof withChanges>>) {
  const { ids } = api;
  const expected = words.map((_, index) => (index < 2 ? [] : [ids[index]]));
  const found = [];
  for (const word of words) found.push(await foundIds(api, word));
  expect(found).toEqual(expected);
  expect(await foundIds(api, 'changed')).toEqual([ids[1]]);
  const documents = await documentsOf(api);
  expect(documents.map(({ status }) => status)).toEqual(Array(22).fill('indexed'));
}

/** The steps of a job, and then a turn of the job, which ends after one piece. No time passes in it. @returns whether it is over */
async function shortTurn({ runtime, organisationId, projectId }: Knowledge, job: unknown): Promise<boolean> {
  const tenant = `${organisationId}#live` as const;
  for (const step of await stepNotices(tenant, projectId))
    await deliverNotices(runtime, knowledgeIndexer, [step]);
  const short = { ...runtime, turnMs: 0, elapsedMs: () => 0 };
  return endsTurn(deliverNotices(short, knowledgeIndexer, [jobNotice(tenant, projectId, String(job))]));
}

/** Whether a command writes a part of an index. */
const writes = (command: object, kind: 'block' | 'index') =>
  command instanceof TransactWriteCommand && JSON.stringify(command.input).includes(`"id":"${kind}-`);

describe('a worker that is killed', () => {
  test('before or after any call is continued by the next run; readers see the old index or the new one', {
    tags: ['nightly'],
  }, async () => {
    const api = await withChanges();
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    const rewind = await remember(api);
    api.dying.calls = 0;
    await api.workOff(api.projectId, job.id as string);
    const calls = api.dying.calls;
    await expectWhole(api);
    expect(calls).toBeGreaterThan(20);

    // Every third point: neighbours differ little.
    const points = Array.from({ length: calls }, (_, index) => index + 1).filter((point) => point % 3 === 1);
    for (const point of points) {
      await rewind();
      api.dying.afterwards = point % 2 === 0;
      api.dying.callsLeft = point;
      await api.workOff(api.projectId, job.id as string).catch(() => {});
      api.dying.callsLeft = Number.POSITIVE_INFINITY;

      const { data } = await api.call('GET', `${api.project}/knowledge/search?q=${words[0]}`);
      const isOld = data.indexVersion === api.first;
      expect(data.items).toHaveLength(isOld ? 1 : 0);
      expect(await foundIds(api, words[21])).toHaveLength(isOld ? 0 : 1);

      await api.workOff(api.projectId, job.id as string);
      const { data: ended } = await api.call('GET', `${api.project}/jobs/${job.id}`);
      expect(ended).toMatchObject({ status: 'succeeded', result: { changed: true, documents: 22 } });
      await expectWhole(api);
    }
  });

  test('is continued where it stopped, not from the start', { tags: ['long'] }, async () => {
    let contentsRead = 0;
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (command) => {
        if (JSON.stringify(command.input).includes('#content"') && command instanceof BatchGetCommand)
          contentsRead += 1;
        return undefined;
      }),
    }));
    for (let batch = 0; batch < 9; batch += 1) {
      const documents = Array.from({ length: 25 }, (_, index) => {
        const externalId = `${batch}-${index}`;
        return { externalId, title: externalId, content: `a word ${externalId}` };
      });
      await api.batch(documents);
    }
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    // The turn ends at the first checkpoint.
    expect(await shortTurn(api, job.id)).toBe(true);
    const { data: halfway } = await api.call('GET', `${api.project}/jobs/${job.id}`);
    expect(halfway).toMatchObject({ status: 'running', progress: { total: 225, done: 200, failed: 0 } });
    contentsRead = 0;
    await api.workOff(api.projectId, job.id as string);
    const { data: ended } = await api.call('GET', `${api.project}/jobs/${job.id}`);
    expect(ended).toMatchObject({ status: 'succeeded', progress: { total: 225, done: 225, failed: 0 } });
    // Those of the 25 documents that were missing, ten at a time.
    expect(contentsRead).toBe(3);
  });

  test.each([
    ['tells the documents', 20, (input: string) => input.includes('":status":"indexed"')],
    // A write for each of 22 blocks, and for the index.
    [
      'sends the version before on its way',
      23,
      (input: string) => /"id":"(block|index)-.*":ttl"/.test(input),
    ],
  ])(
    'whose turn ends while it %s stops in between, and the next turn does the rest',
    { tags: ['long'] },
    async (_, some, isSuch) => {
      let writes = 0;
      const api = await openKnowledge(({ client }) => ({
        client: intercept(client, (command) => {
          if (isSuch(JSON.stringify(command.input))) writes += 1;
          return undefined;
        }),
      }));
      const put = async (word: string) => {
        for (let batch = 0; batch < 11; batch += 1) {
          await api.batch(
            Array.from({ length: 20 }, (_, index) => ({
              externalId: `${batch}-${index}`,
              title: 't',
              content: word,
            })),
          );
        }
      };
      await put('old');
      await api.reindex();
      await put('new');
      const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
      writes = 0;
      while (writes === 0) await shortTurn(api, job.id);
      expect(writes).toBe(some);
      const { data: halfway } = await api.call('GET', `${api.project}/jobs/${job.id}`);
      expect(halfway).toMatchObject({ status: 'running', result: { changed: true } });

      await api.workOff(api.projectId, job.id as string);
      expect((await api.call('GET', `${api.project}/jobs/${job.id}`)).data.status).toBe('succeeded');
      expect((await api.listed('status=pending')).length).toBe(0);
      const [, before] = (await api.call('GET', `${api.project}/jobs`)).data.items as Json[];
      const parts = await api.partsOf(before?.id as string);
      expect(parts.filter(({ id }) => id.startsWith('block-'))).toHaveLength(22);
      for (const { ttl } of parts) expect(ttl).toBeTypeOf('number');
    },
  );

  test('ten times fails the job, and the next job succeeds', { tags: ['long'] }, async () => {
    const api = await withChanges();
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      api.dying.callsLeft = 14;
      await api.workOff(api.projectId, job.id as string).catch(() => {});
      api.dying.callsLeft = Number.POSITIVE_INFINITY;
      // The place of the killed run expires.
      api.advance(5 * minuteMs);
    }
    const { data: ended } = await api.call('GET', `${api.project}/jobs/${job.id}`);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'worker_failed' } });
    expect(await api.reindex()).toMatchObject({ status: 'succeeded' });
    await expectWhole(api);
  });
});

test('a run that goes on after its job was given up writes nothing', async () => {
  let giveUp: (() => Promise<unknown>) | undefined;
  const api = await openKnowledge(({ client }) => ({
    client: intercept(client, (command, proceed) => {
      const act = giveUp;
      if (!act || !writes(command, 'block')) return undefined;
      giveUp = undefined;
      return proceed().finally(act);
    }),
  }));
  await api.create({ content: 'a word' });
  const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
  giveUp = async () => {
    await api.runtime.client.send(
      new UpdateCommand({
        TableName: api.runtime.tableNames.jobs,
        Key: { tenant: `${api.organisationId}#live#${api.projectId}`, id: job.id },
        UpdateExpression: 'SET attempts = :ten',
        ExpressionAttributeValues: { ':ten': 10 },
      }),
    );
    await api.workOff(api.projectId, job.id as string);
  };
  await api.workOff(api.projectId, job.id as string);
  const { data: ended } = await api.call('GET', `${api.project}/jobs/${job.id}`);
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'worker_failed' }, result: null });
  expect((await api.call('GET', `${api.project}/knowledge/search?q=word`)).error.code).toBe('not_indexed');
});

describe('a job', () => {
  test('succeeds although every commit first meets another transaction', async () => {
    let isWorking = false;
    const tried = new Set<string>();
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, ({ constructor: { name }, input }) => {
        if (!isWorking || !/^(Put|Update|TransactWrite)Command$/.test(name)) return undefined;
        // Each attempt has another id and time.
        const write = JSON.stringify(input).replaceAll(/call_\w+|\d+:\d+:[\d.]+Z/g, '');
        if (tried.has(write)) return undefined;
        tried.add(write);
        return Promise.reject(conflictOf(input as TransactWriteCommandInput));
      }),
      sleep: async () => {},
    }));
    await api.create({ content: 'a word' });
    const { data } = await api.call('POST', `${api.project}/knowledge/reindex`);
    isWorking = true;
    await api.workOff(api.projectId, data.id as string);
    isWorking = false;
    const job = await api.call('GET', `${api.project}/jobs/${data.id}`);
    expect(job.data).toMatchObject({ status: 'succeeded', result: { documents: 1, changed: true } });
    expect(await foundIds(api)).toHaveLength(1);
    expect(tried.size).toBeGreaterThan(5);
  });

  test('taken by two workers is finished by the one that took it last', { tags: ['long'] }, async () => {
    const api = await withChanges();
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    await Promise.all([
      api.workOff(api.projectId, job.id as string),
      api.workOff(api.projectId, job.id as string),
    ]);
    const { data: ended } = await api.call('GET', `${api.project}/jobs/${job.id}`);
    expect(ended).toMatchObject({ status: 'succeeded', result: { changed: true } });
    await expectWhole(api);
  });

  test('that is cancelled while it runs publishes nothing', { tags: ['long'] }, async () => {
    let cancel = async () => {};
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        return writes(command, 'block') ? proceed().finally(() => cancel()) : undefined;
      }),
    }));
    await api.create({ content: 'a word' });
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    cancel = async () => {
      const response = await api.call('POST', `${api.project}/jobs/${job.id}/cancel`);
      expect(response.status, response.text).toBe(200);
    };
    await api.workOff(api.projectId, job.id as string);
    cancel = async () => {};
    expect((await api.call('GET', `${api.project}/jobs/${job.id}`)).data.status).toBe('cancelled');
    expect((await api.call('GET', `${api.project}/knowledge/search?q=word`)).error.code).toBe('not_indexed');
    expect((await api.reindex()).status).toBe('succeeded');
  });

  test('for more text than an index can hold fails; the published version stays', {
    tags: ['long'],
  }, async () => {
    let bytes: number | undefined;
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        if (bytes === undefined || !(command instanceof QueryCommand)) return undefined;
        return proceed().then((output) => {
          const { Items = [] } = output as { Items?: Json[] };
          return { ...(output as object), Items: Items.map((item) => ({ ...item, bytes })) };
        });
      }),
    }));
    for (const content of ['one word', 'another word']) await api.create({ content });
    const first = await api.reindex();
    await api.create({ content: 'a third word' });
    bytes = 40e6;
    const failed = await api.reindex();
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'too_much_text' } });
    const { data } = await api.call('GET', `${api.project}/knowledge/search?q=word`);
    expect(data).toMatchObject({ indexVersion: versionOf(first), items: [{}, {}] });
    bytes = 30e6;
    expect((await api.reindex()).status).toBe('succeeded');
  });

  test('whose deadline passes while it runs publishes nothing', async () => {
    let late = () => {};
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (command) => {
        if (writes(command, 'index')) late();
        return undefined;
      }),
    }));
    await api.create({ content: 'a word' });
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    late = () => api.advance(6 * hourMs);
    await api.workOff(api.projectId, job.id as string);
    late = () => {};
    const { data: ended } = await api.call('GET', `${api.project}/jobs/${job.id}`);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } });
    expect((await api.call('GET', `${api.project}/knowledge/search?q=word`)).error.code).toBe('not_indexed');
  });
});

test('documents changed, created or deleted during indexing are indexed as they are, or pending', async () => {
  let meddle: (() => Promise<unknown>) | undefined;
  const api = await openKnowledge(({ client }) => ({
    client: intercept(client, (command, proceed) => {
      const act = meddle;
      if (!writes(command, 'block') || !act) return undefined;
      meddle = undefined;
      return act().then(proceed);
    }),
  }));
  const [one, two] = [await api.create({ content: 'first' }), await api.create({ content: 'second' })];
  meddle = async () => {
    await api.call('PATCH', `${api.path}/${one.id}`, { body: { content: 'renewed' } });
    await api.call('DELETE', `${api.path}/${two.id}`);
    await api.create({ content: 'third' });
  };
  const job = await api.reindex();
  expect(job).toMatchObject({ status: 'succeeded', result: { documents: 2 } });
  expect(await foundIds(api, 'renewed')).toEqual([one.id]);
  expect(await foundIds(api, 'third')).toHaveLength(1);
  expect([...(await foundIds(api, 'first')), ...(await foundIds(api, 'second'))]).toEqual([]);
  expect(await documentsOf(api)).toMatchObject([{ status: 'indexed' }, { status: 'indexed' }]);
});

describe('a re-index that is requested while another one runs', () => {
  /** A project with one document and a queued job; the run of the job does something else at its nth call. */
  async function openInterrupted() {
    const at = { call: Number.POSITIVE_INFINITY, act: async () => {}, calls: 0 };
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (_, proceed) => {
        at.calls += 1;
        if (at.calls !== at.call) return undefined;
        at.call = Number.POSITIVE_INFINITY;
        return at.act().then(proceed);
      }),
    }));
    await api.create({ content: 'first' });
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    at.calls = 0;
    return { ...api, at, job: job.id as string };
  }

  const requestedAtEvery = (step: number) => async () => {
    const measured = await openInterrupted();
    await measured.workOff(measured.projectId, measured.job);
    const calls = measured.at.calls;
    expect(calls).toBeGreaterThan(15);
    let queued = 0;
    for (let point = 1; point <= calls; point += step) {
      const api = await openInterrupted();
      let next = '';
      api.at.act = async () => {
        await api.create({ content: 'second' });
        next = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
      };
      api.at.call = point;
      await api.workOff(api.projectId, api.job);
      // Its own change in the stream comes behind the first one's.
      if (next !== api.job) queued += 1;
      if (next !== api.job) await api.workOff(api.projectId, next);
      const { data: ended } = await api.call('GET', `${api.project}/jobs/${next}`);
      expect(ended, `at call ${point}`).toMatchObject({ status: 'succeeded', result: { documents: 2 } });
      expect(await foundIds(api, 'second'), `at call ${point}`).toHaveLength(1);
      expect(await api.listed('status=pending')).toEqual([]);
    }
    expect(queued).toBeGreaterThan(Math.floor(10 / step));
  };

  const includes = 'includes every document stored before the request, however far the other one is';
  test(includes, { tags: ['long'] }, requestedAtEvery(23));
  test(`${includes}: each other call`, { tags: ['nightly'] }, requestedAtEvery(2));

  test('is one more job for any number of requests', { tags: ['long'] }, async () => {
    const api = await openInterrupted();
    const responses: ApiResponse[] = [];
    api.at.act = async () => {
      const ask = () => api.call('POST', `${api.project}/knowledge/reindex`);
      responses.push(...(await Promise.all(Array.from({ length: 20 }, ask))), await ask());
    };
    api.at.call = 10;
    await api.workOff(api.projectId, api.job);
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
    expect(responses[0]?.data.id).not.toBe(api.job);
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(1);
    expect((await api.call('GET', `${api.project}/jobs`)).data.items).toHaveLength(2);
  });

  const takenOver = async (point: number) => {
    const api = await openInterrupted();
    let next = '';
    api.at.act = async () => {
      await api.create({ content: 'second' });
      next = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
      throw new Error('killed');
    };
    api.at.call = point;
    await expect(api.workOff(api.projectId, api.job)).rejects.toThrow('killed');
    expect((await api.call('GET', `${api.project}/jobs/${api.job}`)).data.status).toBe('running');
    api.advance(silentMs);
    await api.workOff(api.projectId, next);
    for (const job of [api.job, next]) {
      expect((await api.call('GET', `${api.project}/jobs/${job}`)).data.status).toBe('succeeded');
    }
    expect(await foundIds(api, 'second')).toHaveLength(1);
  };
  const takesOver = 'takes over the other one if its worker died at call %i';
  test.each([14])(takesOver, takenOver);
  test.each([10])(takesOver, { tags: ['long'] }, takenOver);

  test('never publishes older documents last, although the other one continues', {
    tags: ['long'],
  }, async () => {
    const api = await openInterrupted();
    let next = '';
    // The other one has built its index, and is about to publish it.
    api.at.act = async () => {
      await api.create({ content: 'second' });
      next = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
      api.advance(silentMs);
      await api.workOff(api.projectId, next);
    };
    api.at.call = 14;
    await api.workOff(api.projectId, api.job);
    expect((await api.call('GET', `${api.project}/jobs/${next}`)).data.status).toBe('succeeded');
    expect(await foundIds(api, 'second')).toHaveLength(1);
    expect(await foundIds(api, 'first')).toHaveLength(1);
  });

  test('waits for it even if a request between them was cancelled', { tags: ['long'] }, async () => {
    const api = await openInterrupted();
    let next = '';
    api.at.act = async () => {
      const { data: between } = await api.call('POST', `${api.project}/knowledge/reindex`);
      await api.call('POST', `${api.project}/jobs/${between.id}/cancel`);
      await api.create({ content: 'second' });
      next = (await api.call('POST', `${api.project}/knowledge/reindex`)).data.id as string;
      api.advance(silentMs);
      await api.workOff(api.projectId, next);
    };
    api.at.call = 14;
    await api.workOff(api.projectId, api.job);
    expect((await api.call('GET', `${api.project}/jobs/${api.job}`)).data.status).toBe('succeeded');
    expect(await foundIds(api, 'second')).toHaveLength(1);
  });
});

describe('a replaced version', () => {
  test('expires completely after seven days; the published version stays', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    await api.create({ content: 'one word' });
    const { id: first } = await api.reindex();
    await api.create({ content: 'two words' });
    const { id: second } = await api.reindex();
    const ttls = async (build: unknown) =>
      (await api.partsOf(build as string)).map(({ ttl }) => ttl as number);
    const inSevenDays = (Date.now() + 7 * dayMs) / 1000;
    for (const ttl of await ttls(first)) expect(Math.abs(ttl - inSevenDays)).toBeLessThan(60);
    // A block, the index, and the list of the documents with its directory.
    expect(await ttls(first)).toHaveLength(4);
    expect(await ttls(second)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('expires with the next job if its own job ended before cleaning up', { tags: ['long'] }, async () => {
    let isDead = false;
    const api = await openKnowledge(({ client }) => ({
      client: intercept(client, (command) => {
        const isMark = JSON.stringify(command.input).includes('":status":"indexed"');
        return isDead && isMark ? Promise.reject(new Error('killed')) : undefined;
      }),
    }));
    await api.create({ content: 'one word' });
    const { id: first } = await api.reindex();
    await api.create({ content: 'two words' });
    isDead = true;
    const { data: second } = await api.call('POST', `${api.project}/knowledge/reindex`);
    await expect(api.workOff(api.projectId, second.id as string)).rejects.toThrow('killed');
    isDead = false;
    api.advance(hourMs);
    await api.create({ content: 'three words' });
    expect(await api.reindex()).toMatchObject({ status: 'succeeded', result: { changed: true } });
    for (const build of [first, second.id]) {
      const parts = await api.partsOf(build as string);
      expect(parts).toHaveLength(4);
      for (const { ttl } of parts) expect(ttl).toBeTypeOf('number');
    }
  });

  test('stays while a deployment uses it', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    await api.create({ content: 'one word' });
    const first = await api.reindex();
    expect(await api.hold(versionOf(first))).toBe(true);
    await api.create({ content: 'two words' });
    await api.reindex();
    const kept = (await api.partsOf(first.id as string)).map(({ ttl }) => ttl);
    expect(kept).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('cannot be used by a new deployment once it is expiring', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    await api.create({ content: 'one word' });
    const first = await api.reindex();
    await api.create({ content: 'two words' });
    await api.reindex();
    expect(await api.hold(versionOf(first))).toBe(false);
  });

  test('an unfinished build expires too', { tags: ['long'] }, async () => {
    const api = await withChanges();
    const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
    api.dying.callsLeft = 22;
    await api.workOff(api.projectId, job.id as string).catch(() => {});
    api.dying.callsLeft = Number.POSITIVE_INFINITY;
    await api.call('POST', `${api.project}/jobs/${job.id}/cancel`);
    expect((await api.partsOf(job.id as string)).length).toBeGreaterThan(0);
    await api.reindex();
    for (const { ttl } of await api.partsOf(job.id as string)) expect(ttl).toBeTypeOf('number');
  });
});

test('a key without knowledge:write cannot re-index, and a key for another project sees nothing', async () => {
  const api = await openKnowledge();
  const reader = await api.createKey({ scopes: ['knowledge:read'] });
  const refused = await api.call('POST', `${api.project}/knowledge/reindex`, { key: reader.secret });
  expect(refused.error.code).toBe('insufficient_scope');
  const other = await api.createKey({ scopes: allScopes, projectIds: [await api.createProject()] });
  expect((await api.call('POST', `${api.project}/knowledge/reindex`, { key: other.secret })).status).toBe(
    404,
  );
  const stranger = await openApi();
  expect((await stranger.call('GET', `${api.project}/jobs`)).status).toBe(404);
});
