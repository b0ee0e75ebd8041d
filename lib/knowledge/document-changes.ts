/** How the documents of two index versions differ. */

import type { ProjectStore } from './store/documents.ts';
import { type DocumentHead, getDocumentList } from './store/parts.ts';
import { getManifest, isLive } from './store/versions.ts';

export type DocumentChange = {
  id: string;
  change: 'added' | 'changed' | 'removed';
  title: string;
  fields: string[];
};

/** @returns the differences, sorted by document id */
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
      const was = old.get(id);
      if (!was) return [{ id, change: 'added', title, fields: [] }];
      const fields = changedFields(was, head);
      return fields.length > 0 ? [{ id, change: 'changed', title, fields }] : [];
    }),
  ];
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const changedFields = (before: DocumentHead, after: DocumentHead): string[] =>
  (['title', 'tags', 'content'] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

/** @returns the documents of a version, none without a version; undefined if the version has no list of them */
export async function documentsOf(
  store: ProjectStore,
  version: string | null,
): Promise<DocumentHead[] | undefined> {
  if (version === null) return [];
  const manifest = await getManifest(store, version);
  if (!manifest || !isLive(manifest)) return undefined;
  return manifest.documents === 0 ? [] : getDocumentList(store, manifest);
}
