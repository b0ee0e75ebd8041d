/** The files of an export: each record once, whatever happens while they are written. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { split } from '../../../../lib/base/batches.ts';
import { hourMs, minuteMs } from '../../../../lib/base/time.ts';
import { auditRecords } from '../../../../lib/bulk/exports/records.ts';
import { openSession } from '../../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../../lib/dynamodb/store.ts';
import { betweenTurns } from '../../../../lib/jobs/run.ts';
import type { Notice } from '../../../../lib/workers/notice.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../../../samples/api.ts';
import { deliverNotices, endsTurn, noticesOf } from '../../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../../samples/stream-records.ts';
import conversationEraser from '../../../../workers/conversation-eraser.ts';
import exportRemover from '../../../../workers/export-remover.ts';
import organisationResumer from '../../../../workers/organisation-resumer.ts';
import projectPurger from '../../../../workers/project-purger.ts';
import retentionRewriter from '../../../../workers/retention-rewriter.ts';
import userEraser from '../../../../workers/user-eraser.ts';
import {
  exportNow,
  fetched,
  linesOf,
  partsOf,
  removeFilesOfDeleted,
  requestExport,
  runJob,
} from '../../../support/exports.ts';
import { expire, purgeBegun } from '../../../support/purges.ts';
import { dueNotices } from '../../../support/schedule.ts';
import { resumeNow, suspendNow, waitingOf } from '../../../support/suspensions.ts';
import { deliverKilled } from '../../../support/turns.ts';
import { deliver, openMortal } from '../../../support/workers.ts';

const what = 'conversations';

/** @returns the paths of conversations with messages, in the order of their start */
async function converse(api: TestApi, project: string, count: number, body: Json = {}): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAt = new Date(Date.UTC(2026, 2, 1, 0, n)).toISOString();
    const path = await api.createConversation({ startedAt, ...body }, project);
    const messages = Array.from({ length: (n % 4) + 1 }, (_, seq) => ({
      role: 'user',
      text: `about ${n} and ${seq}`,
    }));
    await api.call('POST', `${path}/messages`, { body: { messages } });
    paths.push(path);
  }
  return paths;
}

/** @returns what the API shows of a conversation */
async function shown(api: TestApi, path: string): Promise<Json> {
  const [{ data: conversation }, { data }] = await Promise.all([
    api.call('GET', path),
    api.call('GET', `${path}/transcript`),
  ]);
  return { ...conversation, messages: data.messages };
}

const idsOf = (lines: readonly Json[]) => lines.map(({ id }) => id);

test('each conversation is in one part, as the API shows it', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await api.createProject();
  const paths = await converse(api, project, 30);
  const path = await exportNow(api, project, { what });
  expect((await partsOf(api, path)).length).toBeGreaterThan(3);
  expect(await linesOf(api, path)).toEqual(await Promise.all(paths.map((one) => shown(api, one))));
  const { data } = await api.call('GET', path);
  expect(data.counts).toMatchObject({ records: 30, parts: (data.parts as Json[]).length });
});

test('a long conversation has several lines, and a part may end in the middle of it', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  const project = await api.createProject();
  const path = await api.createConversation({}, project);
  for (let page = 0; page < 17; page += 1) {
    const messages = Array.from({ length: 25 }, (_, n) => ({ role: 'user', text: `${page * 25 + n + 1}` }));
    await api.call('POST', `${path}/messages`, { body: { messages } });
  }
  const exported = await exportNow(api, project, { what });
  const lines = await linesOf(api, exported);
  expect(lines).toHaveLength(3);
  expect(Object.keys(lines[1] ?? {})).toEqual(['id', 'messages']);
  expect(new Set(idsOf(lines)).size).toBe(1);
  const texts = lines.flatMap(({ messages }) => (messages as Json[]).map(({ text }) => text));
  expect(texts).toEqual(Array.from({ length: 425 }, (_, n) => `${n + 1}`));
  expect((await api.call('GET', exported)).data.counts).toMatchObject({ records: 1, parts: 3 });
});

test('a part ends with its turn: the parts have each conversation once, and the job has no owner between them', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const paths = await converse(api, project, 12);
  const path = await requestExport(api, project, { what });
  const job = path.split('/').at(-1) ?? '';
  const runtime = { ...api.runtime, turnMs: 0 };
  const between: unknown[] = [];
  for (let isOver = true; isOver && between.length < 50; ) {
    isOver = await endsTurn(runJob({ ...api, runtime }, project, job));
    const stored = (await storedOf(api, 'jobs')).find(({ id, type }) => id === job && type !== undefined);
    between.push([stored?.attempt, stored?.attempts]);
  }
  // The last turn finds no further one.
  expect(between).toHaveLength(13);
  expect(between.slice(0, -1)).toEqual(Array(between.length - 1).fill([betweenTurns, 0]));
  expect(await linesOf(api, path)).toEqual(await Promise.all(paths.map((one) => shown(api, one))));
});

test('a turn that finds nothing stores how far it has read', { tags: ['long'] }, async () => {
  const api = await openApi();
  const project = await api.createProject();
  const create = async (tags: string[]) => {
    const body = { title: 'One', content: 'text', tags };
    return (await api.call('POST', `/projects/${project}/knowledge/documents`, { body })).data.id;
  };
  const oldest = await create(['rare']);
  await create([]);
  const documents = (await storedOf(api, 'knowledge')).filter(({ id }) => `${id}`.startsWith('kdoc_'));
  const copied = documents.find(({ tags, title }) => title && (tags as Json[]).length === 0);
  const { client, tableNames, nowMs } = api.runtime;
  // A page reads at most 1000 items.
  for (const some of split([...Array(1100).keys()], 25)) {
    const puts = some.map((n) => ({
      PutRequest: { Item: { ...copied, id: api.runtime.newId('knowledgeDocument', nowMs() + n) } },
    }));
    await client.send(new BatchWriteCommand({ RequestItems: { [`${tableNames.knowledge}`]: puts } }));
  }
  const path = await requestExport(api, project, { what: 'documents', filters: { tag: 'rare' } });
  const job = path.split('/').at(-1) ?? '';
  const runtime = { ...api.runtime, turnMs: 0 };
  const turn = () => endsTurn(runJob({ ...api, runtime }, project, job));
  expect(await turn()).toBe(true);
  expect(await partsOf(api, path)).toEqual([]);
  expect(await turn()).toBe(true);
  expect(await turn()).toBe(false);
  expect(idsOf(await linesOf(api, path))).toEqual([oldest]);
});

test('an audit export goes on after an event, or with an event that no part has', async () => {
  const api = await openApi();
  const project = await api.createProject();
  for (const name of ['B', 'C', 'D']) {
    await api.logChanges();
    await api.call('PATCH', `/projects/${project}`, { body: { name } });
  }
  const { client, tableNames, nowMs } = api.runtime;
  const session = openSession(client, tableNames, { audit: ['BatchGetItem', 'Query'] });
  const store = bindStore(session, `${api.organisationId}#live`).inProject(project);
  const times = { requestedMs: nowMs(), keptDays: 30, nowMs };
  const after = async (position: string) => {
    const found = [];
    for await (const line of auditRecords(store, {}, times).lines(position)) found.push(line.position);
    return found;
  };
  const all = await after('');
  expect(all.length).toBeGreaterThan(2);
  expect(await after(`${all[1]}`)).toEqual(all.slice(2));
  expect(await after(`${all[1]}#`)).toEqual(all.slice(1));
});

const killedAtEvery = (step: number) => async () => {
  const { api, life } = await openMortal();
  const project = await api.createProject();
  const paths = await converse(api, project, 5);
  // They do not time out while time passes.
  for (const path of paths) await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
  const count = async () => {
    life.calls = 0;
    const path = await exportNow(api, project, { what });
    return { path, calls: life.calls };
  };
  const { path: whole, calls } = await count();
  const wanted = await linesOf(api, whole);
  expect(idsOf(wanted)).toEqual(paths.map((path) => path.split('/').at(-1)));
  for (let dies = 1; dies <= calls; dies += step) {
    const path = await requestExport(api, project, { what });
    const job = path.split('/').at(-1) ?? '';
    life.callsLeft = dies;
    life.afterwards = dies % 2 === 0;
    await runJob(api, project, job).catch(() => {});
    life.callsLeft = Number.POSITIVE_INFINITY;
    await runJob(api, project, job);
    expect((await api.call('GET', path)).data.status).toBe('succeeded');
    expect(await linesOf(api, path), `killed at call ${dies}`).toEqual(wanted);
    // Others may not be kept at the same time.
    api.advance(31 * hourMs);
  }
};

test(
  'killed before or after some of its writes, the parts have each conversation once',
  { tags: ['long'] },
  killedAtEvery(5),
);
test(
  'killed before or after each of its writes, the parts have each conversation once',
  { tags: ['nightly'] },
  killedAtEvery(1),
);

test('a conversation that is erased while its part is written is in no file', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const paths = await converse(api, project, 4);
  const path = await requestExport(api, project, { what });
  const [, second = ''] = paths;
  const { files } = api.runtime;
  let isErased = false;
  const runtime = {
    ...api.runtime,
    files: {
      ...files,
      // Between the check and the file. The eraser has waited, and finds the part that was begun.
      async put(key: string, bytes: Uint8Array) {
        await files.put(key, bytes);
        if (isErased) return;
        isErased = true;
        await api.call('DELETE', second);
        await deliver(api, conversationEraser, await tombstoneRecords(api));
      },
    },
  };
  await runJob({ ...api, runtime }, project, path.split('/').at(-1) ?? '');
  const left = paths.filter((one) => one !== second).map((one) => one.split('/').at(-1));
  expect(idsOf(await linesOf(api, path))).toEqual(left);
  expectNoFile(api, 'about 1 and');
});

test('a conversation that is erased after it was read is not written', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const paths = await converse(api, project, 4);
  const path = await requestExport(api, project, { what });
  const { files, newId } = api.runtime;
  let calls = 0;
  const puts: string[] = [];
  const runtime = {
    ...api.runtime,
    files: {
      ...files,
      put: (key: string, bytes: Uint8Array) => files.put(key, bytes).then(() => void puts.push(key)),
    },
    client: Object.assign(Object.create(api.runtime.client) as typeof api.runtime.client, {
      async send(command: { constructor: { name: string } }) {
        // Before the part is begun, which is after everything in it was read.
        if (command.constructor.name === 'TransactWriteCommand') {
          calls += 1;
          if (calls === 1) await api.call('DELETE', paths[0] ?? '');
        }
        return api.runtime.client.send(command as never);
      },
    }),
    newId,
  };
  await runJob({ ...api, runtime }, project, path.split('/').at(-1) ?? '');
  expect(idsOf(await linesOf(api, path))).toEqual(paths.slice(1).map((one) => one.split('/').at(-1)));
  expectNoFile(api, 'about 0 and');
  expect(puts.length).toBe((await partsOf(api, path)).length);
});

test('an erasure removes the part with the conversation, and says so', async () => {
  const api = await openApi();
  const project = await api.createProject();
  const paths = await converse(api, project, 8);
  const path = await exportNow(api, project, { what });
  const before = await partsOf(api, path);
  await api.call('DELETE', paths[3] ?? '');
  await deliver(api, conversationEraser, await tombstoneRecords(api));
  const after = await partsOf(api, path);
  const removed = after.filter(({ status }) => status === 'removed');
  expect(removed).toMatchObject([{ removedBecause: 'conversation_erased', url: null }]);
  expect(after).toHaveLength(before.length);
  // The link from before the erasure.
  const old = before.find(({ number }) => number === removed[0]?.number);
  expect(fetched(api, old?.url ?? null)).toBeUndefined();
  expectNoFile(api, 'about 3 and');
});

test('so do the erasure of a user, a deleted document, and a shorter retention', {
  tags: ['long'],
}, async () => {
  const api = await openApi(() => ({ sleep: async () => {} }));
  const project = await api.createProject();
  await converse(api, project, 2, { externalUserId: 'anna' });
  const { data: document } = await api.call('POST', `/projects/${project}/knowledge/documents`, {
    body: { title: 'Returns', content: 'Within 30 days.' },
  });
  const ofUser = await exportNow(api, project, { what });
  const ofDocument = await exportNow(api, project, { what: 'documents' });
  const { data: job } = await api.call('POST', `/projects/${project}/conversations/erase`, {
    body: { externalUserId: 'anna' },
  });
  const items = await storedOf(api, 'jobs');
  await deliver(api, userEraser, [
    changeRecord(
      undefined,
      items.find(({ id, type }) => id === job.id && type),
    ),
  ]);
  expect((await partsOf(api, ofUser)).map(({ status }) => status)).not.toContain('ready');
  expectNoFile(api, 'about');

  await api.call('DELETE', `/projects/${project}/knowledge/documents/${document.id}`);
  await removeFilesOfDeleted(api);
  expect(await partsOf(api, ofDocument)).toMatchObject([
    { status: 'removed', removedBecause: 'document_deleted' },
  ]);
  expect(api.files.size).toBe(0);

  await converse(api, project, 2);
  const ofRetention = await exportNow(api, project, { what });
  expect(api.files.size).toBeGreaterThan(0);
  const find = async () => (await storedOf(api, 'projects')).find(({ id }) => id === project);
  const before = await find();
  await api.call('PATCH', `/projects/${project}`, { body: { settings: { retentionDays: 1 } } });
  // Requests that have read the project before the change have ended.
  api.advance(minuteMs);
  await deliver(api, retentionRewriter, [changeRecord(before, await find())]);
  for (const part of await partsOf(api, ofRetention)) {
    expect(part).toMatchObject({ status: 'removed', removedBecause: 'retention_shortened' });
  }
  expect(api.files.size).toBe(0);
});

test('the files are removed a day after the deadline, with their items', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await converse(api, project, 2);
  await exportNow(api, project, { what });
  expect(api.files.size).toBe(1);
  api.advance(30 * hourMs + 1000);
  const due = (await dueNotices(api)).filter(({ id }) => id.startsWith('job_'));
  await deliverNotices(api.runtime, exportRemover, due);
  expect(api.files.size).toBe(0);
  expect((await storedOf(api, 'jobs')).filter(({ tenant }) => /#(parts|exports)$/.test(`${tenant}`))).toEqual(
    [],
  );
});

test('in turns that end after each file, and are killed, the files of an export and of deleted documents are removed', async () => {
  const { api, life } = await openMortal();
  const project = await api.createProject();
  await converse(api, project, 12);
  const ofConversations = await exportNow(api, project, { what });
  const documents = `/projects/${project}/knowledge/documents`;
  const body = { title: 'Returns', content: 'Within 30 days.' };
  const { data: document } = await api.call('POST', documents, { body });
  await exportNow(api, project, { what: 'documents' });
  const ofDocuments = await exportNow(api, project, { what: 'documents' });
  const removeKilled = (notices: readonly Notice[]) => deliverKilled(api, life, exportRemover, notices);
  const { length } = await partsOf(api, ofConversations);
  expect(api.files.size).toBe(length + 2);

  await api.call('DELETE', `${documents}/${document.id}`);
  const deleted = (await storedOf(api, 'knowledge')).filter(({ tenant }) => /#deleted$/.test(`${tenant}`));
  const changes = deleted.map((item) => changeRecord(undefined, item));
  expect(await removeKilled(noticesOf(exportRemover, changes))).toBeGreaterThan(2);
  expect(await partsOf(api, ofDocuments)).toMatchObject([{ removedBecause: 'document_deleted' }]);
  expect(api.files.size).toBe(length);

  api.advance(30 * hourMs + 1000);
  const due = (await dueNotices(api)).filter(({ id }) => ofConversations.endsWith(id));
  expect(await removeKilled(due)).toBeGreaterThan(length);
  expect(api.files.size).toBe(0);
  const left = (await storedOf(api, 'jobs')).filter(({ id }) =>
    ofConversations.includes(`${id}`.slice(0, 30)),
  );
  expect(left.filter(({ tenant }) => /#(parts|exports)$/.test(`${tenant}`))).toEqual([]);
});

test('the removal of files waits, too, while the job waits for the end of a suspension', async () => {
  const { api, life } = await openMortal();
  const project = await api.createProject();
  await converse(api, project, 8);
  const job = (await requestExport(api, project, { what })).split('/').at(-1) ?? '';
  life.callsLeft = 28;
  await runJob(api, project, job).catch(() => {});
  life.callsLeft = Number.POSITIVE_INFINITY;
  expect(api.files.size).toBeGreaterThan(0);
  await suspendNow(api);
  api.advance(31 * hourMs);
  const removals = async () => (await dueNotices(api)).filter(({ id }) => id === job);
  await deliverNotices(api.runtime, exportRemover, await removals());
  expect(api.files.size).toBe(0);
  expect((await waitingOf(api)).map(({ id }) => `${id}`.split('#')[1])).toEqual([exportRemover.id]);
  await deliverNotices(api.runtime, organisationResumer, await resumeNow(api));
  await deliverNotices(api.runtime, exportRemover, await removals());
  expect(await waitingOf(api)).toEqual([]);
  expect(await removals()).not.toEqual([]);
});

test('the files of a cancelled export are removed at once, also those that its killed run has left', async () => {
  const { api, life } = await openMortal();
  const project = await api.createProject();
  await converse(api, project, 8);
  const path = await requestExport(api, project, { what });
  const job = path.split('/').at(-1) ?? '';
  life.callsLeft = 28;
  await runJob(api, project, job).catch(() => {});
  life.callsLeft = Number.POSITIVE_INFINITY;
  expect(api.files.size).toBeGreaterThan(0);
  const find = async () => (await storedOf(api, 'jobs')).find(({ id, type }) => id === job && type);
  const before = await find();
  expect((await api.call('POST', `/projects/${project}/jobs/${job}/cancel`)).status).toBe(200);
  const notices = noticesOf(exportRemover, [changeRecord(before, await find())], 'jobs');
  await deliverNotices(api.runtime, exportRemover, notices);
  expect(api.files.size).toBe(0);
  expect(await partsOf(api, path)).toEqual([]);
  // A notice that comes late writes nothing again.
  await runJob(api, project, job);
  expect(api.files.size).toBe(0);
});

test('a purge removes the files of the project', async () => {
  const api = await openApi(() => ({ sleep: async () => {} }));
  const project = await api.createProject();
  await converse(api, project, 2);
  await exportNow(api, project, { what });
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  await deliver(api, projectPurger, [await purgeBegun(api, project)]);
  expect(api.files.size).toBe(0);
});

test('an export of a project that is deleted meanwhile fails', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await converse(api, project, 2);
  const path = await requestExport(api, project, { what });
  await api.call('DELETE', `/projects/${project}`);
  await runJob(api, project, path.split('/').at(-1) ?? '');
  await api.call('POST', `/projects/${project}/restore`);
  expect((await api.call('GET', path)).data).toMatchObject({
    status: 'failed',
    error: { code: 'project_deleted' },
    parts: [],
  });
  expect(api.files.size).toBe(0);
});

test('more than an export may have fails, with the parts that there are', async () => {
  const api = await openApi();
  const project = await api.createProject();
  await converse(api, project, 12);
  const path = await exportNow(api, project, { what }, { maxPartBytes: 1500, maxParts: 2 });
  expect((await api.call('GET', path)).data).toMatchObject({
    status: 'failed',
    error: { code: 'export_too_large' },
    counts: { parts: 2 },
  });
});

async function tombstoneRecords(api: TestApi) {
  const all = await storedOf(api, 'conversations');
  return all
    .filter(({ tenant }) => /#erased$/.test(`${tenant}`))
    .map((tombstone) => changeRecord(undefined, tombstone));
}

/** Not even one that no part shows. */
function expectNoFile(api: TestApi, text: string): void {
  for (const key of api.files.keys()) expect(fetched(api, `memory:${key}?`)).not.toContain(text);
}
