/**
 * The rules for what may be copied from a restored table. Erased and deleted data may not: tombstones win.
 * scripts/copy-missing.ts applies the rules.
 */

import { getDeployment, listDeployments } from '../../lib/avatars/deployments/store/deployments.ts';
import { environments } from '../../lib/avatars/deployments/store/environments.ts';
import { avatars, deleteAvatar, getAvatarChanges, nameAvatar } from '../../lib/avatars/store.ts';
import { pagesOf } from '../../lib/base/pages.ts';
import { timestamp } from '../../lib/base/time.ts';
import { removeConversation } from '../../lib/conversations/store/changes.ts';
import { conversations } from '../../lib/conversations/store/conversations.ts';
import {
  generationPart,
  getGenerations,
  storedGenerations,
} from '../../lib/conversations/store/generations.ts';
import { getDocument, removeDocument } from '../../lib/documents/store/documents.ts';
import { removeTextParts } from '../../lib/documents/store/text-parts.ts';
import { externalPart } from '../../lib/dynamodb/pointers.ts';
import { gonePlace } from '../../lib/dynamodb/resources.ts';
import type { Partition, ProjectStore, Store } from '../../lib/dynamodb/store.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item, Write } from '../../lib/dynamodb/write.ts';
import { waitForExpunging } from '../../lib/indexing/store/expunged.ts';
import { deletedTenant } from '../../lib/organisations/store.ts';
import { initialPurgeState, purgesPartition } from '../../lib/projects/purges/store.ts';
import { deletedPartition, getDeletedProject, getProject, nameProject } from '../../lib/projects/store.ts';
import { deleteWebhook, webhooks } from '../../lib/webhooks/store/webhooks.ts';
import {
  carriedEvaluator,
  endedSource,
  isDisabledWithKey,
  isPausedWithKey,
  isSourceTombstone,
} from './stays-ended.ts';

/** The names of partitions with tombstones. Each tombstone has the id of the item that it names. */
const endings: { readonly [Table in TableName]?: readonly string[] } = {
  projects: [deletedPartition, purgesPartition],
  avatars: ['removed'],
  knowledge: ['deleted'],
  knowledgeIndexes: ['expunged'],
  conversations: ['erased'],
  webhooks: ['deleted'],
};

/** @returns the parts of an item's partition: the tenant, and the rest */
export function partitionParts({ tenant }: Pick<Item, 'tenant'>): { tenant: string; partition: string[] } {
  const [organisationId, mode, ...partition] = tenant.split('#');
  return { tenant: mode === undefined ? tenant : `${organisationId}#${mode}`, partition };
}

/** The restored item may accept tokens that are refused now: it was suspended, or has another subject. */
const isChangedIdentity = ({ id, createdAt, updatedAt }: Item): boolean =>
  id.startsWith('wid_') && updatedAt !== createdAt;

/**
 * Whether an item is a tombstone. The restored item of a key that was rotated has the secret that has ended. The same is true of a
 * workload identity that was changed. Expunged builds are not included, because a table that is replaced still serves them.
 */
export function isTombstone(table: TableName, item: Item): boolean {
  if (table === 'organisations') return item.tenant === deletedTenant;
  if (table === 'apiKeys') {
    const isEnded = typeof item.revokedAt === 'string' || typeof item.rotatedAt === 'string';
    return isEnded || isChangedIdentity(item);
  }
  const ending = partitionParts(item).partition.at(-1) ?? '';
  if (table === 'knowledge' && isSourceTombstone(item, ending)) return true;
  if (table === 'conversations' && isPausedWithKey(item, ending)) return true;
  if (isDisabledWithKey(table, item)) return true;
  return endings[table]?.includes(ending) === true && !item.id.startsWith('job_');
}

/** The place of the tombstone of an item, or of what the item belongs to. */
type Tombstone = { table: TableName; id: string; partition: Partition };

function tombstonesOf(table: TableName, item: Item, projectId: string): Tombstone[] {
  const { partition } = partitionParts(item);
  const { documentId, build, sourceId, conversationId } = item;
  // The pointer of an erased conversation stays.
  const resourceId = table === 'avatars' ? item.resourceId : undefined;
  const named = [
    ...partition,
    item.id.split('#')[0] ?? '',
    documentId,
    build,
    sourceId,
    conversationId,
    resourceId,
  ];
  const of = (prefix: string, place: TableName, ending: string): Tombstone[] =>
    named
      .filter((part) => typeof part === 'string')
      .filter((part) => part.startsWith(prefix))
      .map((id) => ({ table: place, id, partition: [projectId, ending] }));
  switch (table) {
    case 'avatars':
      // The versions of a deleted avatar stay, because deployments use them. The pointer goes with the avatar.
      return item.id.startsWith('avtr_') || 'resourceId' in item ? of('avtr_', 'avatars', 'removed') : [];
    case 'knowledge':
      return [...of('kdoc_', 'knowledge', 'deleted'), ...of('src_', 'knowledge', 'deleted')];
    case 'knowledgeIndexes':
      return of('job_', 'knowledgeIndexes', 'expunged');
    default:
      return of('conv_', 'conversations', 'erased');
  }
}

/**
 * @param store of the item's tenant, in the tables of the stage
 * @returns whether the item must stay removed
 */
export async function isGone(store: Store, table: TableName, item: Item, nowMs: number): Promise<boolean> {
  if (typeof item.ttl === 'number' && item.ttl * 1000 <= nowMs) return true;
  const { partition } = partitionParts(item);
  // Such an item says who deleted a resource, and not that it must stay deleted.
  if (partition.at(-1) === gonePlace) return true;
  // Workers write the schedule again from the items of the other tables.
  if (table === 'schedule') return true;
  if (table === 'projects') {
    // A pointer to a project that is deleted or purged is gone. A project is in exactly one of the partitions.
    if (partition.at(-1) === externalPart) {
      const ended = [deletedPartition, purgesPartition];
      const found = await Promise.all(
        ended.map((part) => store.get('projects', `${item.resourceId}`, [part])),
      );
      return found.some((other) => other !== undefined);
    }
    const others = [[], [deletedPartition], [purgesPartition]].filter(
      ([ending]) => ending !== partition.at(-1),
    );
    const found = await Promise.all(others.map((other) => store.get('projects', item.id, other)));
    return found.some((other) => other !== undefined);
  }
  if (table === 'webhooks') return (await store.get('webhooks', item.id, ['deleted'])) !== undefined;
  const projectId = partition.find((part) => part.startsWith('proj_')) ?? projectOfSetter(table, item);
  if (projectId === undefined) return false;
  // Nothing is below a purged project.
  const project = (await getProject(store, projectId)) ?? (await getDeletedProject(store, projectId, nowMs));
  if (!project) return true;
  if (table === 'deployments' && partition.at(-1) === 'environments')
    return isDeletedEnvironment(store.inProject(projectId), item);
  // This item exists only while its job runs.
  if (table === 'jobs' && partition.at(-1) === 'subjects') return true;
  if (isTombstone(table, item) && !isSourceTombstone(item, partition.at(-1))) return false;
  if (table === 'conversationSearch' && (await isOldGeneration(store, projectId, partition))) return true;
  for (const { table: place, id, partition } of tombstonesOf(table, item, projectId)) {
    if (await store.get(place, id, partition)) return true;
  }
  return false;
}

/** The tenant's indexes of sources, evaluators and rollouts have the project of each. */
const projectOfSetter = (table: TableName, { projectId }: Item): string | undefined =>
  ['knowledge', 'conversations', 'deployments'].includes(table) && typeof projectId === 'string'
    ? projectId
    : undefined;

/** Whether messages have been indexed again since, and nothing reads or removes this part of the index any more. */
async function isOldGeneration(store: Store, projectId: string, [, , part]: Partition): Promise<boolean> {
  const stored = await getGenerations(store.inProject(projectId));
  if (!stored || part === undefined) return false;
  return !storedGenerations(stored).some((generation) => generationPart(generation) === part);
}

/**
 * @returns the item as it is copied. An idempotency record is copied without its response, which may contain erased
 *   data; it still prevents a second effect. A tombstone triggers its erasure or purge again
 */
export function comingBack(table: TableName, item: Item, nowMs: number): Item {
  if (table === 'idempotency') {
    const { data: _, sealed: __, ...rest } = item;
    return rest as Item;
  }
  if (!isTombstone(table, item)) return item;
  // A change triggers the worker.
  const changedIn = `copy-missing ${timestamp(nowMs)}`;
  if (table === 'conversations') {
    const { purgedAt: _, ...rest } = item;
    return { ...(rest as Item), changedIn };
  }
  if (table === 'projects' && typeof item.run === 'number') {
    const { ttl: _, ...rest } = item;
    return { ...(rest as Item), ...initialPurgeState, run: item.run + 1, changedIn };
  }
  return item;
}

/**
 * @param store of the item's tenant, in restored tables
 * @param item a tombstone
 * @returns the writes that remove from the restored tables what the tombstone names
 */
export async function endedWrites(store: Store, table: TableName, item: Item): Promise<Write<never>[]> {
  const { partition } = partitionParts(item);
  const [projectId = ''] = partition;
  const { id } = item;
  switch (table) {
    case 'projects': {
      const { writes } = await nameProject(store, await getProject(store, id), undefined);
      return [[], [deletedPartition]]
        .filter(([ending]) => ending !== partition.at(-1))
        .map((other) => store.remove('projects', id, { partition: other, condition: { kind: 'any' } }))
        .concat(writes);
    }
    case 'avatars': {
      const inStore = store.inProject(projectId);
      const avatar = await avatars.at(inStore).get(id);
      if (!avatar) return [];
      const { writes } = await nameAvatar(inStore, avatar, undefined);
      return [...deleteAvatar(inStore, avatar, await getAvatarChanges(inStore)), ...writes];
    }
    case 'knowledge': {
      const inStore = store.inProject(projectId);
      const ofSource = await endedSource(inStore, item, partition.at(-1));
      if (ofSource) return ofSource;
      const document = await getDocument(inStore, id);
      const removals = document ? removeDocument(inStore, document) : [];
      for await (const parts of removeTextParts(inStore, id)) removals.push(...parts);
      return removals;
    }
    case 'webhooks': {
      const webhook = await webhooks.at(store).get(id);
      // The tombstone itself is copied after these writes.
      return webhook && partition.at(-1) === 'deleted' ? deleteWebhook(store, webhook, Date.now()) : [];
    }
    case 'knowledgeIndexes':
      return [waitForExpunging(store.inProject(projectId), id)];
    case 'conversations': {
      const inStore = store.inProject(projectId);
      if (id.startsWith('eval_')) return carriedEvaluator(inStore, item);
      const conversation = await conversations.at(inStore).get(id);
      return conversation ? removeConversation(inStore, conversation) : [];
    }
    default:
      return [];
  }
}

/** The deployments of a deleted environment stay, and none of them is current. */
async function isDeletedEnvironment(store: ProjectStore, item: Item): Promise<boolean> {
  const { id: environment, history } = environments.read(item);
  const last = history.at(-1);
  // Lost deployments come back, too.
  if (last === undefined || !(await getDeployment(store, last))) return false;
  const filter = { environment, phase: 'current', shaPrefix: undefined, limit: 1 } as const;
  for await (const page of pagesOf((after) => listDeployments(store, { ...filter, after })))
    if (page.length > 0) return false;
  return true;
}
