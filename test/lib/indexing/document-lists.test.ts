/** The stored lists of documents, and how much of them a comparison reads. */

import { expect, test } from 'vitest';
import { split } from '../../../lib/base/batches.ts';
import { commit } from '../../../lib/dynamodb/commit.ts';
import { openSession } from '../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../lib/dynamodb/store.ts';
import { type DocumentChange, pageOfChanges } from '../../../lib/indexing/document-changes.ts';
import {
  type DocumentHead,
  getListDirectory,
  listParts,
  putDocumentList,
} from '../../../lib/indexing/store/document-lists.ts';
import { openProject } from '../../support/avatars.ts';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** @returns ids in their order, with ends as those of the service: any of them may end a part */
function idOf(number: number): string {
  let rest = (number * 2654435761) % 2 ** 32;
  let end = '';
  for (let at = 0; at < 6; at += 1, rest = Math.floor(rest / 32)) end += digits[rest % 32];
  return `kdoc_${String(number).padStart(20, '0')}${end}`;
}

const headOf = (number: number, changes: object = {}): DocumentHead => ({
  id: idOf(number),
  title: `Document ${number}`,
  tags: ['handbook'],
  content: 'c',
  ...changes,
});

const heads = (count: number): DocumentHead[] => Array.from({ length: count }, (_, at) => headOf(at));
const partsOf = (documents: readonly DocumentHead[]) => [...listParts(documents)].map(({ part }) => part);

test('a list is cut in the order of the ids, and an added document changes one part', () => {
  const all = heads(20_000);
  const parts = partsOf(all.toReversed());
  expect(parts.length).toBeGreaterThan(40);
  expect(parts.length).toBeLessThan(160);
  for (const [at, { from, to }] of parts.entries()) {
    expect(from <= to).toBe(true);
    expect((parts[at - 1]?.to ?? '') < from).toBe(true);
  }
  const known = new Set(parts.map(({ digest }) => digest));
  const without = partsOf(all.filter((_, at) => at !== 7000));
  expect(without.filter(({ digest }) => !known.has(digest))).toHaveLength(1);
});

test('the largest documents fit into the items of their parts', () => {
  // What compression cannot make smaller, and what JSON makes larger.
  const noise = (seed: number, length: number) =>
    String.fromCharCode(
      ...Array.from({ length }, (_, at) => 0x4e00 + ((seed * 7919 + at * 104_729) % 20_000)),
    );
  const large = Array.from({ length: 800 }, (_, at) => ({
    ...headOf(at),
    title: noise(at, 200),
    tags: Array.from({ length: 20 }, (_, tag) => noise(at * 20 + tag, 40)),
  }));
  const bytes = [...listParts(large)].map(({ json }) => Buffer.byteLength(json));
  expect(Math.max(...bytes)).toBeLessThan(300 * 1024);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2_000_000);
});

test('without documents, the list has no part', () => {
  expect(partsOf([])).toEqual([]);
});

/** Stores two lists. @returns a function that reads a page, and counts what it reads */
async function storedLists(before: readonly DocumentHead[], after: readonly DocumentHead[]) {
  const api = await openProject();
  const session = openSession(api.runtime.client, api.runtime.tableNames, {
    knowledgeIndexes: ['GetItem', 'BatchGetItem', 'PutItem'],
  });
  const store = bindStore(session, `${api.organisationId}#live`).inProject(api.projectId);
  const author = { changedBy: 'test', changedThrough: 'test', changedIn: 'test', nowMs: Date.now() };
  const put = async (build: string, documents: readonly DocumentHead[]) => {
    for (const writes of split(putDocumentList(store, build, documents), 20))
      await commit(session, writes, author);
    return { build, parts: (await getListDirectory(store, build)) ?? [] };
  };
  const lists = { before: await put('before', before), after: await put('after', after) };
  const page = async (position: string, limit: number) => {
    const units = session.usage.readUnits;
    const found = await pageOfChanges(store, lists, position, limit);
    if (!found) throw new Error('a part is missing');
    return { ...found, units: session.usage.readUnits - units };
  };
  /** All pages, one after the other. */
  const all = async (limit: number) => {
    const found: DocumentChange[] = [];
    let most = 0;
    let pages = 0;
    for (let position: string | null = ''; position !== null; pages += 1) {
      const { changes, next, units }: Awaited<ReturnType<typeof page>> = await page(position, limit);
      if (next !== null) expect(next > position).toBe(true);
      found.push(...changes);
      most = Math.max(most, units);
      position = next;
    }
    return { found, most, pages };
  };
  return { page, all };
}

test('few differences between large lists are found with few reads', async () => {
  const before = heads(10_000);
  const after = before
    .filter((_, at) => at !== 100)
    .map((head, at) => (at === 6000 ? { ...head, title: 'New' } : head));
  const { page } = await storedLists(before, [...after, headOf(10_000)]);
  const { changes, next, units } = await page('', 25);
  expect(changes.map(({ change, fields }) => [change, ...fields])).toEqual([
    ['removed'],
    ['changed', 'title'],
    ['added'],
  ]);
  expect(next).toBeNull();
  // The lists have 80 units.
  expect(units).toBeLessThan(12);
});

test('a page of many differences reads a bounded part of the lists, and the pages have all of them once', {
  tags: ['long'],
}, async () => {
  const before = heads(10_000);
  // A difference in each part, so that the parts are all read.
  const after = before.map((head, at) => (at % 100 === 0 ? { ...head, content: 'd' } : head));
  const { page, all } = await storedLists(before, after);
  const first = await page('', 25);
  expect(first.changes).toHaveLength(25);
  const { found, most } = await all(100);
  expect(found.map(({ id }) => id)).toEqual(before.filter((_, at) => at % 100 === 0).map(({ id }) => id));
  const whole = await all(25);
  expect(whole.found).toEqual(found);
  // 24 parts of a unit each: half of the two lists.
  expect(Math.max(most, whole.most)).toBeLessThanOrEqual(30);
});

test('if nothing was served before, a page reads only the beginning of the list', async () => {
  const { page, all } = await storedLists([], heads(3000));
  expect((await page('', 25)).units).toBeLessThan(20);
  expect((await all(100)).found).toHaveLength(3000);
});

test('rare differences: a page is short, and goes on where it has ended', async () => {
  const before = heads(10_000);
  const rare = new Set(partsOf(before).map(({ to }) => to));
  const after = before.map((head) => (rare.has(head.id) ? { ...head, tags: [] } : head));
  const { all } = await storedLists(before, after);
  const { found, pages } = await all(100);
  expect(found).toHaveLength(rare.size);
  expect(pages).toBeGreaterThan(2);
});
