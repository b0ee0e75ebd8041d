/**
 * Pointers from the names that callers give to documents. Such a name is an `externalId`, unique within its source or among
 * documents without a source.
 */

import { hash } from 'node:crypto';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { KnowledgeDocument } from '../schema/document.ts';

export type ExternalName = { source: string | null; externalId: string };

export const pointers = projectCollection<Stored<{ id: string; documentId: string }>>('knowledge', () => [
  'external',
]);

/** A page reads the pointers of at most this many sources. */
const maxSources = 1000;

/** The name as the key of a Map. */
export const nameKey = ({ source, externalId }: { source: string | null; externalId: string | null }) =>
  JSON.stringify([source, externalId]);

/** A sort key has at most 1024 bytes, and 255 characters of text may be longer. */
const digest = (text: string) => hash('sha256', text, 'base64url');

/** The pointers of one externalId are next to each other, so they are found without knowing the sources. */
const pointerId = ({ source, externalId }: ExternalName) =>
  source === null ? digest(externalId) : `${digest(externalId)}.${digest(source)}`;

const nameOf = ({ source, externalId }: KnowledgeDocument): ExternalName | null =>
  externalId === null ? null : { source, externalId };

export const findDocumentId = async (store: ProjectStore, name: ExternalName): Promise<string | undefined> =>
  (await pointers.at(store).get(pointerId(name)))?.documentId;

/** @returns the ids of those documents that exist, by `nameKey`. It reads only pointers, which are small */
export async function findIdsByName(
  store: ProjectStore,
  names: readonly ExternalName[],
): Promise<Map<string, string>> {
  const keys = new Map(names.map((name) => [pointerId(name), nameKey(name)]));
  const items = await pointers.at(store).getMany([...keys.keys()]);
  return new Map(items.map(({ id, documentId }) => [keys.get(id) ?? '', documentId]));
}

/**
 * @param names at most 100
 * @returns the ids of those documents that exist, each once, in no order
 */
export async function findDocumentIds(
  store: ProjectStore,
  names: readonly ExternalName[],
): Promise<string[]> {
  const items = await pointers.at(store).getMany(names.map(pointerId));
  // While a document changes its externalId, both may point to it.
  return [...new Set(items.map(({ documentId }) => documentId))];
}

/** @returns the ids of the documents with this externalId in any source, newest first */
export async function listDocumentIds(store: ProjectStore, externalId: string): Promise<string[]> {
  const from = pointerId({ source: null, externalId });
  const { items } = await pointers.at(store).page({ from, to: `${from}.~`, limit: maxSources });
  return items
    .map(({ documentId }) => documentId)
    .sort()
    .reverse();
}

/** Fails if another document has the name. */
export function putPointer(store: ProjectStore, document: KnowledgeDocument): Write<never>[] {
  const name = nameOf(document);
  return name ? [pointers.at(store).put({ id: pointerId(name), documentId: document.id })] : [];
}

export function removePointer(store: ProjectStore, document: KnowledgeDocument): Write<never>[] {
  const name = nameOf(document);
  return name ? [pointers.at(store).remove(pointerId(name), { condition: { kind: 'present' } })] : [];
}
