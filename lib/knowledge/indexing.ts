import { type ProjectStore, pageDocuments } from './store/documents.ts';

export type Indexing = {
  pending: number;
  failed: number;
  /** The tags of all documents but those that failed: these are in the index, or will be. */
  tags: ReadonlySet<string>;
  /** Whether all documents were read. */
  isComplete: boolean;
};

/** A page reads at most 1 MB. An index has at most 20 000 documents. */
const maxPages = 20;

/** @returns how many documents are not in the index as they are now, and their tags */
export async function readIndexing(store: ProjectStore): Promise<Indexing> {
  const count = { pending: 0, failed: 0 };
  const tags = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items, next } = await pageDocuments(store, { after, limit: 1000 });
    for (const { status, tags: own } of items) {
      if (status !== 'indexed') count[status] += 1;
      if (status !== 'failed') for (const tag of own) tags.add(tag);
    }
    if (next === null) return { ...count, tags, isComplete: true };
    after = next;
  }
  return { ...count, tags, isComplete: false };
}
