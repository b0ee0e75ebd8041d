/** How the documents of two index versions differ. */

import type { ProjectStore } from '../documents/store/documents.ts';
import { type DocumentHead, getListDirectory, getListParts, type ListPart } from './store/document-lists.ts';
import { getManifest, isLive } from './store/versions.ts';

/** A page reads four parts at a time, until it is full. If many parts have few differences, a page is short. */
const partsPerRead = 4;
const partsPerPage = 24;

export type DocumentChange = {
  id: string;
  change: 'added' | 'changed' | 'removed';
  title: string;
  fields: string[];
};

export type StoredList = { build: string; parts: readonly ListPart[] };

type Side = 'before' | 'after';

/** @returns the list of a version, an empty one without a version; undefined if the version has no list */
export async function listOfVersion(
  store: ProjectStore,
  version: string | null,
): Promise<StoredList | undefined> {
  if (version === null) return { build: '', parts: [] };
  const manifest = await getManifest(store, version);
  if (!manifest || !isLive(manifest)) return undefined;
  const { build, documents } = manifest;
  const parts = documents === 0 ? [] : await getListDirectory(store, build);
  return parts && { build, parts };
}

/**
 * @param position differences with larger ids are returned
 * @returns at most `limit` differences, sorted by document id, and the position after them, null at the end; undefined
 *   if a part is missing
 */
export async function pageOfChanges(
  store: ProjectStore,
  lists: Record<Side, StoredList>,
  position: string,
  limit: number,
): Promise<{ changes: DocumentChange[]; next: string | null } | undefined> {
  const differing = differingParts(lists.before.parts, lists.after.parts, position);
  const heads: Record<Side, DocumentHead[]> = { before: [], after: [] };
  for (let count = partsPerRead; ; count += partsPerRead) {
    const batch = differing.slice(count - partsPerRead, count);
    const read = async (side: Side) => {
      const numbers = batch.filter((one) => one.side === side).map(({ part }) => part.number);
      return numbers.length === 0 ? [] : getListParts(store, lists[side].build, numbers);
    };
    const [before, after] = await Promise.all([read('before'), read('after')]);
    if (!before || !after) return undefined;
    heads.before.push(...before);
    heads.after.push(...after);
    // Both sides are complete up to the first part that has not been read.
    const end = differing[count]?.part.from;
    const complete = (head: DocumentHead) => head.id > position && (end === undefined || head.id < end);
    const [old, next] = [heads.before.filter(complete), heads.after.filter(complete)];
    const allChanges = documentChanges(old, next);
    const changes = allChanges.slice(0, limit);
    if (allChanges.length > limit) return { changes, next: changes.at(-1)?.id ?? position };
    if (end === undefined) return { changes, next: null };
    if (count >= partsPerPage) return { changes, next: lastOf([...old, ...next], position) };
  }
}

const lastOf = (heads: readonly DocumentHead[], position: string): string =>
  heads.reduce((last, { id }) => (id > last ? id : last), position);

/** @returns the parts that only one side has and that reach beyond the position, in the order of their first ids */
export function differingParts(
  before: readonly ListPart[],
  after: readonly ListPart[],
  position: string,
): { side: Side; part: ListPart }[] {
  const without = (parts: readonly ListPart[], others: readonly ListPart[]) => {
    const digests = new Set(others.map(({ digest }) => digest));
    return parts.filter(({ digest, to }) => to > position && !digests.has(digest));
  };
  return [
    ...without(before, after).map((part) => ({ side: 'before' as const, part })),
    ...without(after, before).map((part) => ({ side: 'after' as const, part })),
  ].sort((a, b) => (a.part.from < b.part.from ? -1 : 1));
}

export function documentChanges(
  before: readonly DocumentHead[],
  after: readonly DocumentHead[],
): DocumentChange[] {
  const old = new Map(before.map((head) => [head.id, head]));
  const next = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !next.has(id));
  const all = [
    ...removed.map(({ id, title }): DocumentChange => ({ id, change: 'removed', title, fields: [] })),
    ...after.flatMap((head): DocumentChange[] => {
      const { id, title } = head;
      const oldHead = old.get(id);
      if (!oldHead) return [{ id, change: 'added', title, fields: [] }];
      const fields = changedFields(oldHead, head);
      return fields.length > 0 ? [{ id, change: 'changed', title, fields }] : [];
    }),
  ];
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const changedFields = (before: DocumentHead, after: DocumentHead): string[] =>
  (['title', 'tags', 'url', 'content', 'fields'] as const)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => (field === 'fields' ? 'metadata' : field));
