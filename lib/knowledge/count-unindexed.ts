import { type ProjectStore, pageDocuments } from './store/documents.ts';

export type Unindexed = {
  pending: number;
  failed: number;
  /** Whether all documents were counted. */
  isComplete: boolean;
};

/** A page reads at most 1 MB. An index has at most 20 000 documents. */
const maxCountPages = 20;

/** @returns how many documents are not in the index as they are now */
export async function countUnindexed(store: ProjectStore): Promise<Unindexed> {
  const count = { pending: 0, failed: 0 };
  let after: string | undefined;
  for (let page = 0; page < maxCountPages; page += 1) {
    const { items, next } = await pageDocuments(store, { after, limit: 1000 });
    for (const { status } of items) if (status !== 'indexed') count[status] += 1;
    if (next === null) return { ...count, isComplete: true };
    after = next;
  }
  return { ...count, isComplete: false };
}
