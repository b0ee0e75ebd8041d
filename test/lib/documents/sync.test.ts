/** Knowledge documents with simultaneous clients: cron jobs that overlap, crash and restart, and the indexer. */

import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { intercept, withTransactionConflicts } from '../../support/faults.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';

type AnyCommand = Parameters<Parameters<typeof intercept>[1]>[0];
type Source = ReadonlyMap<string, string>;

const isCommit = (command: AnyCommand) =>
  command instanceof PutCommand || command instanceof TransactWriteCommand;

/** What such a job does: puts every text that its source has, and deletes what the source has no more. */
async function sync({ call, path, put }: Knowledge, source: Source): Promise<string[]> {
  const outcomes: string[] = [];
  for (const [externalId, content] of source) {
    const { status, data, text } = await put(externalId, { title: externalId, content });
    if (status >= 300) throw new Error(text);
    outcomes.push(data.outcome as string);
  }
  await prune({ call, path }, source);
  return outcomes;
}

/** The same, in batches. */
async function syncInBatches({ call, path, batch }: Knowledge, source: Source): Promise<string[]> {
  const documents = [...source].map(([externalId, content]) => ({ externalId, title: externalId, content }));
  const outcomes: string[] = [];
  for (let start = 0; start < documents.length; start += 3) {
    const { status, data, text } = await batch(documents.slice(start, start + 3));
    if (status >= 300) throw new Error(text);
    outcomes.push(...(data.results as { outcome: string }[]).map(({ outcome }) => outcome));
  }
  await prune({ call, path }, source);
  return outcomes;
}

async function prune({ call, path }: Pick<Knowledge, 'call' | 'path'>, source: Source): Promise<void> {
  const listed = await call('GET', `${path}?limit=100`);
  for (const { id, externalId } of listed.data.items as Json[]) {
    if (source.has(externalId as string)) continue;
    const { status, text } = await call('DELETE', `${path}/${id}`);
    // Another run may have been faster.
    if (status >= 300 && status !== 404) throw new Error(text);
  }
}

const before: Source = new Map([
  ['kept.md', 'kept'],
  ['changed.md', 'old'],
  ['gone.md', 'gone'],
]);
const now: Source = new Map([
  ...before,
  ['changed.md', 'new'],
  ...Array.from({ length: 6 }, (_, index) => [`new/${index}.md`, `new ${index}`] as const),
]);
(now as Map<string, string>).delete('gone.md');

/** The project holds exactly the documents of the source, and another run finds nothing to do. */
async function expectInSync(api: Knowledge, source: Source): Promise<void> {
  const documents = await api.listed();
  expect(documents.map(({ externalId }) => externalId).sort()).toEqual([...source.keys()].sort());
  for (const { id, externalId } of documents) {
    expect(await api.contentOf(id)).toBe(source.get(externalId as string));
  }
  expect(new Set(await sync(api, source))).toEqual(new Set(['unchanged']));
}

describe.each([
  ['one by one', sync],
  ['in batches', syncInBatches],
])('a cron job that sends its documents %s', (_, run) => {
  test('twice at the same time leaves exactly its documents', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    await run(api, before);
    const [one = [], other = []] = await Promise.all([run(api, now), run(api, now)]);
    const did = (outcome: string) => [...one, ...other].filter((each) => each === outcome).length;
    expect([did('created'), did('updated'), did('unchanged')]).toEqual([6, 1, 9]);
    await expectInSync(api, now);
  });

  test.each(['before', 'after'])(
    'restarted after a crash %s a commit leaves exactly its documents',
    { tags: ['nightly'] },
    async (moment) => {
      for (let crashAt = 1; ; crashAt += 1) {
        let commits = Number.NEGATIVE_INFINITY;
        const api = await openKnowledge(({ client }) => ({
          client: intercept(client, (command, proceed) => {
            if (!isCommit(command)) return undefined;
            commits += 1;
            // From here on nothing gets through any more.
            if (commits < crashAt) return undefined;
            const crash = () => Promise.reject(new Error('crashed'));
            return moment === 'after' && commits === crashAt ? proceed().then(crash) : crash();
          }),
        }));
        await run(api, before);
        commits = 0;
        const crashed = await run(api, now).then(
          () => false,
          () => true,
        );
        commits = Number.NEGATIVE_INFINITY;
        await run(api, now);
        await expectInSync(api, now);
        if (!crashed) {
          expect(crashAt).toBeGreaterThan(3);
          break;
        }
      }
    },
  );
});

test('twenty simultaneous PUTs of one externalId make one document, even with TransactionConflict', async () => {
  let conflicts = () => 0;
  const { put, listed } = await openKnowledge(({ client }) => {
    const faulty = withTransactionConflicts(client);
    conflicts = faulty.conflicts;
    return { client: faulty.client };
  });
  const responses = await Promise.all(Array.from({ length: 20 }, () => put('a')));
  expect(responses.map(({ data }) => data.outcome).sort()).toEqual([
    'created',
    ...Array(19).fill('unchanged'),
  ]);
  expect(await listed()).toHaveLength(1);
  expect(conflicts()).toBeGreaterThan(0);
});

/** @returns the API, in which the next such command waits until something else is done */
async function openHeld(holds: (command: AnyCommand, api: Knowledge) => boolean = isCommit) {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const api: Knowledge = await openKnowledge(({ client }) => ({
    client: intercept(client, (command, proceed) => {
      if (!meanwhile || !holds(command, api)) return undefined;
      const act = meanwhile;
      meanwhile = undefined;
      return act().then(proceed);
    }),
  }));
  const held = (act: () => Promise<unknown>) => {
    meanwhile = act;
  };
  return { ...api, held };
}

describe('while a document is marked as indexed', () => {
  test.each([
    ['its title', { title: 'new' }, { status: 'pending', indexVersion: null }],
    ['its content', { content: 'new' }, { status: 'pending', indexVersion: null }],
    ['its metadata', { metadata: { a: '1' } }, { status: 'indexed', indexVersion: 'v1' }],
  ])('a change of %s is retried and keeps the mark', async (_, body, state) => {
    const { call, path, create, index, held } = await openHeld();
    const { id } = await create();
    held(() => index(id));
    const response = await call('PATCH', `${path}/${id}`, { body });
    expect(response.data).toMatchObject(state);
    expect((await call('GET', `${path}/${id}`)).data).toEqual(response.data);
  });

  test('DELETE succeeds', async () => {
    const { call, path, create, index, held } = await openHeld();
    const { id } = await create();
    held(() => index(id));
    expect((await call('DELETE', `${path}/${id}`)).data.status).toBe('indexed');
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
  });
});

describe('between the read and the write of a PUT', () => {
  test.each([
    ['its document gets another externalId', { externalId: 'b' }],
    ['its document loses its externalId', { externalId: null }],
  ])('%s: the PUT creates another one', async (_, body) => {
    const { call, path, put, listed, held } = await openHeld();
    const { id } = (await put('a')).data.document as Json;
    held(() => call('PATCH', `${path}/${id}`, { body }));
    expect((await put('a', { content: 'new' })).data.outcome).toBe('created');
    expect((await listed()).map(({ externalId }) => externalId)).toEqual(['a', body.externalId]);
  });

  test('another document gets its externalId: the PUT updates that one', async () => {
    const { call, path, create, put, listed, held } = await openHeld();
    const { id } = await create();
    held(() => call('PATCH', `${path}/${id}`, { body: { externalId: 'a' } }));
    expect((await put('a', { content: 'new' })).data).toMatchObject({ outcome: 'updated', document: { id } });
    expect(await listed()).toHaveLength(1);
  });

  test('its document is deleted: the PUT creates it again', async () => {
    const { call, path, put, listed, held } = await openHeld();
    const { id } = (await put('a')).data.document as Json;
    held(() => call('DELETE', `${path}/${id}`));
    expect((await put('a', { content: 'new' })).status).toBe(201);
    expect(await listed()).toHaveLength(1);
  });
});

test.each([
  ['deleted', (api: Knowledge, id: unknown) => api.call('DELETE', `${api.path}/${id}`)],
  [
    'renamed',
    (api: Knowledge, id: unknown) =>
      api.call('PATCH', `${api.path}/${id}`, { body: { externalId: 'elsewhere' } }),
  ],
])('a document that is %s between the read of its pointer and its own read is a 404', async (_, act) => {
  const isDocumentRead = (command: AnyCommand, { projectId }: Knowledge) =>
    command instanceof GetCommand && String(command.input.Key?.tenant).endsWith(`#${projectId}`);
  const api = await openHeld(isDocumentRead);
  const { id } = (await api.put('a')).data.document as Json;
  api.held(() => act(api, id));
  expect((await api.put('a', { content: 'new' })).status).toBe(201);
  expect(await api.listed('externalId=a')).toHaveLength(1);
  expect((await api.listed('externalId=a'))[0]?.id).not.toBe(id);
});
