import { textOfNotes } from './note-text.ts';
import { type ProjectStore, pageDocuments, type StoredDocument } from './store/documents.ts';
import { shownDocument } from './store/search-fields.ts';

/** A document that the index does not have as it is now, or not as a whole, and why. */
type MissingDocument = {
  documentId: string;
  title: string;
  externalId: string | null;
  code: string;
  message: string;
};

/** How many documents are missing for the same reason, and the first of them. */
type Missing = { count: number; first: readonly MissingDocument[] };

export type Indexing = {
  pending: Missing;
  failed: Missing;
  /** The documents whose file or page was read in part. */
  inPart: Missing;
  /** The tags of all documents but those that failed: these are in the index, or will be. */
  tags: ReadonlySet<string>;
  /** Whether all documents were read. */
  isComplete: boolean;
};

/** A page reads at most 1 MB. An index has at most 20 000 documents. */
const maxPages = 20;

/** How many documents a warning names. */
const maxNamedDocuments = 5;

/** @param searchFields of the project @returns the documents that the index does not have as they are now, and the tags of the documents. Ignored documents do not count */
export async function readIndexing(store: ProjectStore, searchFields: readonly string[]): Promise<Indexing> {
  const missing = { pending: newMissing(), failed: newMissing(), inPart: newMissing() };
  const tags = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items, next } = await pageDocuments(store, { after, limit: 1000 });
    for (const item of items) {
      const document = shownDocument(item, searchFields);
      const { status, ignored, tags: documentTags } = document;
      if (ignored) continue;
      if (status !== 'indexed') addTo(missing[status], item, reasonOf(item));
      const partReason = noteOf(item);
      if (partReason) addTo(missing.inPart, item, partReason);
      if (status !== 'failed') for (const tag of documentTags) tags.add(tag);
    }
    if (next === null) return { ...missing, tags, isComplete: true };
    after = next;
  }
  return { ...missing, tags, isComplete: false };
}

const newMissing = () => ({ count: 0, first: [] as MissingDocument[] });

type Reason = Pick<MissingDocument, 'code' | 'message'>;

function addTo(
  missing: ReturnType<typeof newMissing>,
  { id, title, externalId }: StoredDocument,
  { code, message }: Reason,
): void {
  missing.count += 1;
  if (missing.first.length === maxNamedDocuments) return;
  missing.first.push({ documentId: id, title, externalId, code, message });
}

/** @returns undefined for a document that was read as a whole */
function noteOf({ extractionNotes: notes = [] }: StoredDocument): Reason | undefined {
  const [first] = notes;
  return first && { code: first.code, message: textOfNotes(notes) };
}

const notExtracted = { code: 'not_extracted', message: 'Its file has not been read yet.' };
const notIndexed = {
  code: 'not_indexed',
  message: 'It was added or changed after the last re-index.',
};

/** A document that is stored as indexed lacks nothing but these. */
const otherFields = {
  code: 'not_indexed',
  message: 'The `searchFields` of the project, or its values of them, were changed after the last re-index.',
};

function reasonOf({ status, extraction, extractionError, error }: StoredDocument): Reason {
  if (status === 'indexed') return otherFields;
  return extractionError ?? error ?? (extraction === 'pending' ? notExtracted : notIndexed);
}
