/** Re-indexing under SIGKILL: the worker's process is killed fifty times at random moments. */

import { hash, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Json, jobNotice, stepNotices } from '../../../samples/api.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { chanceOf, killable } from '../../support/killable.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';

const kills = 50;
/** The tenth attempt at a job is its last: one more has to be left. */
const killsPerJob = 8;
const documentCount = 120;

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));
const chance = chanceOf(seed);

const run = killable(knowledgeIndexer);

type Shelf = Map<string, string>;

/** So different that none passes for another one misspelt. */
const wordOf = (name: string) => `w${hash('md5', name).slice(0, 9)}`;

/** @returns what the index holds: the word of each document; null before the first */
async function searchAll({ call, project }: Knowledge, words: readonly string[]): Promise<Shelf | null> {
  for (;;) {
    const versions = new Set<unknown>();
    const found: Json[] = [];
    for (let from = 0; from < words.length; from += 40) {
      const q = words.slice(from, from + 40).join('+');
      const { data, error } = await call('GET', `${project}/knowledge/search?limit=50&q=${q}`);
      if (error.code === 'not_indexed') return null;
      versions.add(data.indexVersion);
      found.push(...(data.items as Json[]));
    }
    // A write that was on its way when the worker was killed may still have been carried out, in between.
    if (versions.size > 1) continue;
    const shelf = new Map(found.map(({ documentId, title }) => [documentId as string, title as string]));
    expect(shelf.size, 'a document was found twice').toBe(found.length);
    return shelf;
  }
}

const entries = (shelf: Shelf | null) => shelf && [...shelf].sort();

async function statuses({ call, path }: Knowledge): Promise<Map<unknown, unknown>> {
  const items: Json[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await call('GET', `${path}?limit=100${cursor}`);
    items.push(...(data.items as Json[]));
    if (data.nextCursor === null) return new Map(items.map(({ id, status }) => [id, status]));
    cursor = `&cursor=${data.nextCursor}`;
  }
}

test(`killed ${kills} times, every job ends and readers find one complete version`, {
  tags: ['nightly'],
}, async () => {
  console.log(`KILL_SEED=${seed}`);
  const api = await openKnowledge();
  const { call, project, projectId, path } = api;
  const shelf: Shelf = new Map();
  const put = async (names: readonly string[], generation: number) => {
    const documents = names.map((externalId) => {
      const word = wordOf(`${externalId} ${generation}`);
      return { externalId, title: word, content: `about ${word}` };
    });
    for (let from = 0; from < documents.length; from += 25) {
      const { data } = await api.batch(documents.slice(from, from + 25));
      for (const { document } of data.results as { document: Json }[]) {
        shelf.set(document.id as string, document.title as string);
      }
    }
  };

  let old: Shelf | null = null;
  let wholeMs = 0;
  let killed = 0;
  for (let job = 0; killed < kills; job += 1) {
    const added = Array.from({ length: job === 0 ? documentCount : 3 }, (_, index) => `${job}-${index}`);
    await put(added, job);
    if (old) {
      await put(['0-0', '0-1', '0-2', `0-${10 + job}`], job);
      for (const id of [...shelf.keys()].slice(20, 23)) {
        await call('DELETE', `${path}/${id}`);
        shelf.delete(id);
      }
    }
    const words = [...new Set([...(old ?? new Map()).values(), ...shelf.values()])];
    const { data: queued } = await call('POST', `${project}/knowledge/reindex`);
    const notice = jobNotice(`${api.organisationId}#live`, projectId, queued.id as string);

    /** Steps of the job. They are done in any order, and the job's run continues after them. */
    const nextNotice = async () => {
      const [step] = await stepNotices(`${api.organisationId}#live`, projectId);
      return step ?? notice;
    };
    // The first one shows how long a whole run takes.
    for (let attempt = 1; ; attempt += 1) {
      const isSpared = job === 0 || attempt > killsPerJob || killed === kills;
      const { end, tookMs } = await run([await nextNotice()], isSpared ? undefined : chance() * wholeMs);
      if (attempt === 1 && end === 'done') wholeMs = tookMs;
      const held = entries(await searchAll(api, words));
      const { data: state } = await call('GET', `${project}/jobs/${queued.id}`);
      if (end === 'done' && state.status === 'succeeded') {
        expect(held).toEqual(entries(shelf));
        break;
      }
      if (end !== 'done' && end !== 'again') {
        expect(end).toBe('SIGKILL');
        killed += 1;
      }
      expect([entries(old), entries(shelf)]).toContainEqual(held);
    }

    const { data: ended } = await call('GET', `${project}/jobs/${queued.id}`);
    expect(ended).toMatchObject({
      status: 'succeeded',
      progress: { total: shelf.size, done: shelf.size, failed: 0 },
      result: { documents: shelf.size, changed: true },
    });
    expect(await statuses(api)).toEqual(new Map([...shelf.keys()].map((id) => [id, 'indexed'])));
    for (const status of ['queued', 'running']) {
      expect((await call('GET', `${project}/jobs?status=${status}`)).data.items).toEqual([]);
    }
    old = new Map(shelf);
  }
  expect(killed).toBe(kills);
});
