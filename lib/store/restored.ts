/**
 * What of a restored table may come back. What was erased or deleted since must not: tombstones win. The rules are here,
 * next to the keys; scripts/copy-missing.ts carries them out.
 */

import { getTombstone } from './conversations.ts';
import { getDeletedProject, getProject } from './projects.ts';
import type { Store } from './store.ts';
import type { TableName } from './tables.ts';
import type { Item } from './write.ts';

/** What an item belongs to, by its key. */
type Belonging = { projectId?: string; conversationId?: string; documentId?: string };

/** @returns the parts of an item's partition: the tenant, and what comes behind it */
export function partitionParts({ tenant }: Pick<Item, 'tenant'>): { tenant: string; within: string[] } {
  const [organisationId, mode, ...within] = tenant.split('#');
  return { tenant: mode === undefined ? tenant : `${organisationId}#${mode}`, within };
}

function belongingOf(table: TableName, item: Item): Belonging {
  const { within } = partitionParts(item);
  const projectId = within.find((part) => part.startsWith('proj_'));
  const named = [...within, item.id.split('#')[0] ?? '', item.documentId];
  const conversationId = named.find((part) => typeof part === 'string' && part.startsWith('conv_'));
  const documentId = named.find((part) => typeof part === 'string' && part.startsWith('kdoc_'));
  return {
    ...(projectId !== undefined && { projectId }),
    ...(typeof conversationId === 'string' && { conversationId }),
    ...(typeof documentId === 'string' && table === 'knowledge' && { documentId }),
  };
}

/** Whether an item says that something was erased or deleted, and holds nothing of it that a restore could bring back. */
export function isTombstone(table: TableName, item: Item): boolean {
  const last = partitionParts(item).within.at(-1);
  if (table === 'conversations') return last === 'erased';
  if (table === 'projects') return last === 'deleted';
  if (table === 'knowledgeIndexes') return last === 'expunged' || last === 'expunging';
  return table === 'apiKeys' && typeof item.revokedAt === 'string';
}

/**
 * @param store of the item's tenant, in the tables of the stage
 * @returns whether the item must not come back
 */
export async function isGone(store: Store, table: TableName, item: Item, nowMs: number): Promise<boolean> {
  if (typeof item.ttl === 'number' && item.ttl * 1000 <= nowMs) return true;
  if (table === 'projects') {
    const isDeleted = partitionParts(item).within.at(-1) === 'deleted';
    const other = isDeleted ? getProject(store, item.id) : getDeletedProject(store, item.id, nowMs);
    return (await other) !== undefined;
  }
  const { projectId, conversationId, documentId } = belongingOf(table, item);
  if (projectId === undefined) return false;
  // There is nothing below a project that was purged.
  const project = (await getProject(store, projectId)) ?? (await getDeletedProject(store, projectId, nowMs));
  if (!project) return true;
  // Whose conversations a job erases is said for as long as it runs.
  if (table === 'jobs' && partitionParts(item).within.at(-1) === 'subjects') return true;
  if (conversationId !== undefined && !isTombstone(table, item)) {
    if (await getTombstone(store, projectId, conversationId)) return true;
  }
  if (documentId === undefined) return false;
  return (await store.get('knowledgeIndexes', documentId, [projectId, 'expunged'])) !== undefined;
}

/**
 * @returns the item as it comes back. An idempotency record comes back without its response: it may tell of something that
 *   was erased since, and without it the request still does not take effect again. A tombstone asks for its erasure again
 */
export function comingBack(table: TableName, item: Item): Item {
  if (table === 'idempotency') {
    const { data: _, sealed: __, ...rest } = item;
    return rest as Item;
  }
  if (table === 'conversations' && isTombstone(table, item)) {
    const { purgedAt: _, ...rest } = item;
    return rest as Item;
  }
  return item;
}
