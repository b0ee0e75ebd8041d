/** Imports of files: each conversation once, whatever happens while they run. */

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../../lib/base/time.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../../samples/stream-records.ts';
import exportRemover from '../../../../workers/export-remover.ts';
import projectPurger from '../../../../workers/project-purger.ts';
import { copiedContent } from '../../../support/copied-content.ts';
import { exportNow, fetched, linesOf, partsOf } from '../../../support/exports.ts';
import {
  importNow,
  requestImport,
  runImportInTurns,
  runImportJob,
  textOf,
  upload,
} from '../../../support/imports.ts';
import { chanceOf } from '../../../support/killable.ts';
import { expire, purgeBegun } from '../../../support/purges.ts';
import { dueNotices } from '../../../support/schedule.ts';
import { deliver, openMortal } from '../../../support/workers.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const startedAt = '2026-03-01T09:30:00.000Z';
const line = (externalId: string, messages = 1, body: Json = {}): Json => ({
  externalId,
  avatarId,
  startedAt,
  endedAt: '2026-03-01T10:00:00.000Z',
  messages: Array.from({ length: messages }, (_, n) => ({
    role: 'user',
    text: `${externalId} ${n}`,
    at: '2026-03-01T09:31:00Z',
    clientMessageId: `m-${n}`,
  })),
  ...body,
});

const listOf = async (api: TestApi, project: string): Promise<Json[]> =>
  (await api.call('GET', `/projects/${project}/conversations?limit=100`)).data.items as Json[];

/** Everything is in one part. */
const wholePart = { maxPartBytes: 1e7, maxParts: 100 };

/** @returns the content of everything in a project, without ids and storage times */
const contentOf = async (api: TestApi, project: string): Promise<string[]> =>
  copiedContent(await linesOf(api, await exportNow(api, project, { what: 'conversations' }, wholePart)));

/** A project with conversations of every kind. */
async function fill(api: TestApi, project: string): Promise<void> {
  const say = async (path: string, count: number) => {
    for (let from = 0; from < count; from += 25) {
      const messages = Array.from({ length: Math.min(25, count - from) }, (_, n) => ({
        role: n % 2 ? 'avatar' : 'user',
        text: `text ${from + n} ✓`,
        ...(n % 3 === 0 && { clientMessageId: `m-${from + n}` }),
        ...(n % 5 === 0 && {
          citations: [{ documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', title: 'Returns' }],
          metadata: { toolCallId: `call_${n}` },
        }),
      }));
      await api.call('POST', `${path}/messages`, { body: { messages } });
    }
  };
  const whole = { externalUserId: 'anna', channel: 'web', tags: ['a', 'b'], metadata: { k: 'v' } };
  const bodies: [Json, number][] = [
    [{ ...whole, externalId: 'named', startedAt }, 3],
    [{ ...whole, startedAt, test: true }, 70],
    [{}, 0],
    [{ externalId: 'long' }, 230],
    [{ deploymentId: 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }, 215],
  ];
  for (const [index, [body, messages]] of bodies.entries()) {
    const path = await api.createConversation({ avatarId, ...body }, project);
    await say(path, messages);
    if (index !== 2) await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  }
}

test('an export that is imported into another project has the same content, once', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  const [source, target] = [await api.createProject(), await api.createProject()];
  await fill(api, source);
  const path = await exportNow(api, source, { what: 'conversations' }, wholePart);
  const [part] = await partsOf(api, path);
  const bytes = api.files.get(/memory:(.*)\?/.exec(part?.url ?? '')?.[1] ?? '');
  const file = bytes ?? new Uint8Array();
  const wanted = await contentOf(api, source);
  expect(wanted.length).toBeGreaterThan(5);

  const first = await importNow(api, target, file);
  const lines = (fetched(api, part?.url ?? null) ?? '').trim().split('\n').length;
  expect(first).toMatchObject({
    type: 'conversations.import',
    status: 'succeeded',
    progress: { total: lines, done: lines, failed: 0 },
    result: { created: 5, unchanged: 0, failed: 0, errors: [] },
  });
  expect(await contentOf(api, target)).toEqual(wanted);
  const items = async () =>
    [...(await storedOf(api, 'conversations')), ...(await storedOf(api, 'messages'))].sort((a, b) =>
      `${a.tenant}${a.id}` < `${b.tenant}${b.id}` ? -1 : 1,
    );
  const before = await items();

  // Again, into the copy and into the project that it comes from.
  for (const project of [target, source]) {
    const again = await importNow(api, project, file);
    expect(again.result).toEqual({ created: 0, unchanged: 5, failed: 0, errors: [] });
  }
  expect(await items()).toEqual(before);
});

test('the parts of an export are imported one by one, also where a part ends in a conversation', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  const [source, target] = [await api.createProject(), await api.createProject()];
  await fill(api, source);
  const path = await exportNow(api, source, { what: 'conversations' });
  const parts = await partsOf(api, path);
  expect(parts.length).toBeGreaterThan(3);
  for (const { url } of parts) {
    const job = await importNow(api, target, fetched(api, url) ?? '');
    expect(job).toMatchObject({ status: 'succeeded', result: { failed: 0 } });
  }
  expect(await contentOf(api, target)).toEqual(await contentOf(api, source));
});

const killedAtEvery =
  (step: number, turns: { turnMs?: number } = {}) =>
  async () => {
    const { api, life } = await openMortal(turns);
    const file = textOf([line('a', 3), line('b', 70), line('c'), line('c'), { ...line('d'), avatarId: 'x' }]);
    const wanted = { created: 3, unchanged: 1, failed: 1 };
    const trial = await api.createProject();
    const trialJob = await requestImport(api, trial, file);
    life.calls = 0;
    await runImportInTurns(api, trial, trialJob);
    const { calls } = life;
    expect(calls).toBeGreaterThan(10);
    const content = await contentOf(api, trial);
    for (let dies = 1; dies <= calls; dies += step) {
      const project = await api.createProject();
      const job = await requestImport(api, project, file);
      life.callsLeft = dies;
      life.afterwards = dies % 2 === 0;
      await runImportInTurns(api, project, job).catch(() => {});
      life.callsLeft = Number.POSITIVE_INFINITY;
      await runImportInTurns(api, project, job);
      const { data } = await api.call('GET', `/projects/${project}/jobs/${job}`);
      expect(data, `killed at call ${dies}`).toMatchObject({ status: 'succeeded', result: wanted });
      expect(await contentOf(api, project)).toEqual(content);
      expect(left(api, project), `killed at call ${dies}`).toEqual([]);
    }
  };

test(
  'killed before or after some of its writes, an import stores each conversation once',
  { tags: ['long'] },
  killedAtEvery(28),
);
// Every third one is enough to be killed in each step, before and after.
test(
  'killed in each step, before or after a write, an import stores each conversation once',
  { tags: ['long'] },
  killedAtEvery(3),
);
test(
  'killed in turns that end after each group, an import stores each conversation once',
  { tags: ['long'] },
  killedAtEvery(5, { turnMs: 0 }),
);

test.each([
  ['at the same time', {}],
  ['at the same time, in turns that end after each group,', { turnMs: 0 }],
])('imports of the same file %s store each conversation once', async (_, turns) => {
  const api = await openApi(() => turns);
  const project = await api.createProject();
  const file = textOf(Array.from({ length: 12 }, (_, n) => line(`c-${n}`, n === 3 ? 40 : 2)));
  const jobs = await Promise.all([0, 1, 2].map(() => requestImport(api, project, file)));
  await Promise.all(jobs.map((job) => runImportInTurns(api, project, job)));
  const results = await Promise.all(
    jobs.map(async (job) => (await api.call('GET', `/projects/${project}/jobs/${job}`)).data.result as Json),
  );
  const sum = (name: string) => results.reduce((total, result) => total + Number(result[name]), 0);
  expect([sum('created'), sum('unchanged'), sum('failed')]).toEqual([12, 24, 0]);
  const counts = (await listOf(api, project)).map(({ messageCount }) => messageCount);
  expect(counts.sort()).toEqual([...Array(11).fill(2), 40]);
});

test('killed at random again and again, an import stores each conversation once', {
  tags: ['nightly'],
}, async () => {
  const { api, life } = await openMortal();
  const project = await api.createProject();
  const chance = chanceOf(7);
  const conversations = 300;
  const file = textOf(
    Array.from({ length: conversations }, (_, n) => line(`c-${n}`, n % 50 === 0 ? 90 : n % 5)),
  );
  const job = await requestImport(api, project, file);
  const path = `/projects/${project}/jobs/${job}`;
  const status = async () => {
    life.callsLeft = Number.POSITIVE_INFINITY;
    return (await api.call('GET', path)).data;
  };
  let kills = 0;
  while ((await status()).status !== 'succeeded') {
    life.callsLeft = 20 + Math.floor(chance() * 150);
    life.afterwards = chance() < 0.5;
    await runImportInTurns(api, project, job).catch(() => {
      kills += 1;
    });
  }
  expect(kills).toBeGreaterThan(5);
  expect((await status()).result).toEqual({ created: conversations, unchanged: 0, failed: 0, errors: [] });
  const whole = await api.createProject();
  expect(await importNow(api, whole, file)).toMatchObject({ result: { created: conversations } });
  expect(await contentOf(api, project)).toEqual(await contentOf(api, whole));
});

/** @returns the uploaded files that a project still has */
const left = (api: TestApi, project: string) =>
  [...api.files.keys()].filter((key) => key.includes(project) && key.includes('/uploads/'));

test('lines that cannot be imported do not stop the others', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await api.createProject({ settings: { retentionDays: 3650 } });
  await importNow(api, project, textOf([line('taken', 2)]));
  const [erased] = await listOf(api, project);
  await importNow(api, project, textOf([line('erased')]));
  const { id } = (await listOf(api, project)).find(({ externalId }) => externalId === 'erased') ?? {};
  await api.call('DELETE', `/projects/${project}/conversations/${id}`);
  const unknown = 'conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  const file = [
    JSON.stringify(line('fine')),
    '{"externalId":',
    '',
    JSON.stringify(line('', 1)),
    JSON.stringify({ ...line('x'), colour: 'red' }),
    JSON.stringify({ ...line('x'), externalId: undefined }),
    JSON.stringify({ ...line('x'), startedAt: '2001-01-01T00:00:00Z' }),
    JSON.stringify({ ...line('x'), endedAt: '2026-03-01T09:00:00Z' }),
    JSON.stringify(line('taken', 2, { tags: ['other'] })),
    JSON.stringify(line('taken', 2, { messages: line('other', 2).messages as Json[] })),
    JSON.stringify(line('erased')),
    JSON.stringify({ id: unknown, messages: line('x').messages }),
    `"${'x'.repeat(5000)}"`,
    JSON.stringify({
      ...line('x'),
      messages: [...(line('x').messages as Json[]), ...(line('x').messages as Json[])],
    }),
    // As over HTTP.
    JSON.stringify(line('x', 1, { metadata: { k: 'v' } })).replace('"k"', '"__proto__"'),
    JSON.stringify(line('x', 1, { metadata: { k: 'v' } })).replace('"k"', '"\\u005f_proto__"'),
    JSON.stringify(line('x', 1, { metadata: { constructor: { prototype: {} } } })),
    `${JSON.stringify(line('last'))}\r`,
  ].join('\n');
  const job = await importNow(api, project, `\ufeff${file}`, {
    rangeBytes: 100,
    maxTextBytes: 1e6,
    unpackedBytes: 500,
    maxLineBytes: 4000,
    maxLines: 18,
  });
  expect(job).toMatchObject({ status: 'succeeded', progress: { total: 17, done: 17, failed: 15 } });
  const { errors, ...counts } = job.result as Json & { errors: { line: number; code: string }[] };
  expect(counts).toEqual({ created: 2, unchanged: 0, failed: 15 });
  expect(errors.map((error) => [error.line, error.code])).toEqual([
    [2, 'invalid_json'],
    [4, 'validation_error'],
    [5, 'validation_error'],
    [6, 'validation_error'],
    [7, 'validation_error'],
    [8, 'validation_error'],
    [9, 'conversation_mismatch'],
    [10, 'conversation_mismatch'],
    [11, 'conversation_erased'],
    [12, 'conversation_missing'],
    [13, 'line_too_long'],
    [14, 'validation_error'],
    [15, 'validation_error'],
    [16, 'validation_error'],
    [17, 'validation_error'],
  ]);
  expect(errors[13]).toMatchObject({
    message: 'the line: must not have the fields __proto__ or constructor.prototype',
  });
  const names = (await listOf(api, project)).map(({ externalId }) => externalId);
  expect(names.sort()).toEqual(['fine', 'last', 'taken']);
  expect((await listOf(api, project)).find(({ externalId }) => externalId === 'taken')).toEqual(erased);
});

test('the first hundred lines that failed are listed, the others are counted', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const job = await importNow(api, project, 'broken\n'.repeat(130) + textOf([line('fine')]));
  const { errors, ...counts } = job.result as Json & { errors: Json[] };
  expect(counts).toEqual({ created: 1, unchanged: 0, failed: 130 });
  expect(errors).toHaveLength(100);
  expect(errors.at(-1)).toMatchObject({ line: 100 });
});

test.each([
  ['messages', (many: unknown[]) => ({ ...line('x'), messages: many })],
  [
    'messages of a further line',
    (many: unknown[]) => ({ id: 'conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E', messages: many }),
  ],
  ['tags', (many: unknown[]) => ({ ...line('x'), tags: many })],
  [
    'citations',
    (many: unknown[]) => ({
      ...line('x'),
      messages: [{ role: 'avatar', text: 'a', at: startedAt, citations: many }],
    }),
  ],
  ['a list', (many: unknown[]) => many],
  ['a text', () => 'x'.repeat(2_000_000)],
])(
  'a million mistakes in %s are one failed line, and do not stop the others',
  { tags: ['long'] },
  async (_, make) => {
    const api = await openApi();
    const project = await api.createProject();
    const file = textOf([make(Array(1_000_000).fill(1)) as Json, line('fine')]);
    const job = await importNow(api, project, file);
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { created: 1, failed: 1, errors: [{ line: 1, code: 'validation_error' }] },
    });
  },
);

test('two lines that name one conversation differently are in transactions of their own', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await importNow(api, project, textOf([line('E', 2)]));
  const [stored] = await listOf(api, project);
  const { messages } = line('E', 3) as { messages: Json[] };
  const further = { id: stored?.id, messages: [{ ...messages[2], seq: 3 }] };
  const job = await importNow(api, project, textOf([further, line('E', 3), line('other')]));
  expect(job).toMatchObject({ status: 'succeeded', result: { created: 1, unchanged: 1, failed: 0 } });
  const counts = (await listOf(api, project)).map(({ externalId, messageCount }) => [
    externalId,
    messageCount,
  ]);
  expect(counts.sort()).toEqual([
    ['E', 3],
    ['other', 1],
  ]);
});

test('the further lines of a conversation whose first line failed fail too', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const other = await api.createConversation({ startedAt }, await api.createProject());
  const id = other.split('/').at(-1);
  await importNow(api, project, textOf([line('x', 1, { id })]));
  const further = { id, messages: line('y').messages };
  const job = await importNow(api, project, textOf([line('x', 1, { id, tags: ['other'] }), further]));
  expect((job.result as Json).errors).toMatchObject([
    { line: 1, code: 'conversation_mismatch' },
    { line: 2, code: 'conversation_not_imported' },
  ]);
  expect(await listOf(api, project)).toMatchObject([{ messageCount: 1 }]);
});

const small = {
  rangeBytes: 64,
  maxTextBytes: 100_000,
  unpackedBytes: 10_000,
  maxLineBytes: 10_000,
  maxLines: 5,
};

test.each([
  ['file_too_large', 'a bomb', gzipSync(`${' '.repeat(1_000_000)}\n${textOf([line('a')])}`)],
  ['file_too_large', 'blank lines without end', `${textOf([line('a')])}${'\n'.repeat(5)}`],
  ['file_too_large', 'one line too many', textOf('abcdef'.split('').map((name) => line(name)))],
  [
    'file_unreadable',
    'a file that ends too early',
    gzipSync(textOf([line('a'), line('b')])).subarray(0, -20),
  ],
  ['file_unreadable', 'a damaged file', gzipSync(textOf([line('a')])).fill(0, 40, 60)],
])('%s: nothing of %s is imported', async (code, _, bytes) => {
  const api = await openApi();
  const project = await api.createProject();
  expect(await importNow(api, project, bytes, small)).toMatchObject({
    status: 'failed',
    error: { code },
    result: null,
  });
  expect(await listOf(api, project)).toEqual([]);
  expect(left(api, project)).toEqual([]);
});

test('without a file, and with another one meanwhile, the job fails', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const none = await requestImport(api, project, textOf([line('a')]));
  for (const key of left(api, project)) api.files.delete(key);
  await runImportJob(api, project, none);
  expect((await api.call('GET', `/projects/${project}/jobs/${none}`)).data.error).toMatchObject({
    code: 'file_missing',
  });
  const job = await requestImport(api, project, textOf([line('a'), line('b')]));
  const [key = ''] = left(api, project);
  const read = api.runtime.files.read;
  let reads = 0;
  const runtime = {
    ...api.runtime,
    files: {
      ...api.runtime.files,
      read: (...range: Parameters<typeof read>) => {
        reads += 1;
        if (reads === 10) api.files.set(key, Buffer.from(textOf([line('c'), line('d')])));
        return read(...range);
      },
    },
  };
  await runImportJob({ ...api, runtime }, project, job, small);
  expect((await api.call('GET', `/projects/${project}/jobs/${job}`)).data.error).toMatchObject({
    code: 'file_changed',
  });
});

test('a quota ends the import, and what is stored stays', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await api.createProject();
  const quotas = { conversations: 3, messages: 1000 };
  api.runtime.limits = { ...api.runtime.limits, live: { rateLimit: null, quotas } };
  const file = textOf(Array.from({ length: 5 }, (_, n) => line(`c-${n}`, 30)));
  const job = await importNow(api, project, file);
  expect(job).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } });
  expect(await listOf(api, project)).toHaveLength(3);
  api.advance(dayMs);
  expect(await importNow(api, project, file)).toMatchObject({ result: { created: 2, unchanged: 3 } });
});

test('a cancelled import stores nothing more, and its file is removed', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const job = await requestImport(api, project, textOf([line('a', 30), line('b', 30), line('c', 30)]));
  const path = `/projects/${project}/jobs/${job}`;
  const read = api.runtime.files.read;
  const runtime = {
    ...api.runtime,
    files: {
      ...api.runtime.files,
      async read(...range: Parameters<typeof read>) {
        // After the first conversation is stored.
        if ((await listOf(api, project)).length === 1) await api.call('POST', `${path}/cancel`);
        return read(...range);
      },
    },
  };
  await runImportJob({ ...api, runtime }, project, job, { ...small, rangeBytes: 3000 });
  expect((await api.call('GET', path)).data).toMatchObject({ status: 'cancelled', result: null });
  const stored = await listOf(api, project);
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThan(3);
  expect(left(api, project)).toEqual([]);
});

test('an import of a project that is archived or deleted meanwhile fails', async () => {
  const api = await openApi();
  for (const [code, end] of [
    ['project_archived', (path: string) => api.call('PATCH', path, { body: { status: 'archived' } })],
    ['project_deleted', (path: string) => api.call('DELETE', path)],
  ] as const) {
    const project = await api.createProject();
    const job = await requestImport(api, project, textOf([line('a')]));
    await end(`/projects/${project}`);
    await runImportJob(api, project, job);
    if (code === 'project_deleted') await api.call('POST', `/projects/${project}/restore`);
    const { data } = await api.call('GET', `/projects/${project}/jobs/${job}`);
    expect(data).toMatchObject({ status: 'failed', error: { code } });
    expect(left(api, project)).toEqual([]);
  }
});

test('a file that nobody imports is removed after a day, with its item', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await upload(api, project, Buffer.from('file'));
  const items = async () => (await storedOf(api, 'jobs')).filter(({ id }) => `${id}`.startsWith('upl_'));
  const records = (await items()).map((item) => changeRecord(undefined, item));
  await deliverNotices(api.runtime, exportRemover, noticesOf(exportRemover, records, 'jobs'));
  api.advance(dayMs + hourMs);
  expect(left(api, project)).toHaveLength(1);
  await deliverNotices(api.runtime, exportRemover, await dueNotices(api));
  expect(left(api, project)).toEqual([]);
  expect(await items()).toEqual([]);
});

test('a purge removes the uploaded files of the project', async () => {
  const api = await openApi(() => ({ sleep: async () => {} }));
  const project = await api.createProject();
  await upload(api, project, Buffer.from('file'));
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  await deliver(api, projectPurger, [await purgeBegun(api, project)]);
  expect(left(api, project)).toEqual([]);
});
