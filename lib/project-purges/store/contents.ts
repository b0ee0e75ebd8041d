/**
 * The partitions of a project, for its purge: the only such list. Conversations are not in it; ../purge.ts erases them
 * one by one, with their messages. A test searches every table after a purge, so it finds a partition that is missing.
 */

import { generationPart, generations, storedGenerations } from '../../conversations/store/generations.ts';
import { gonePlace } from '../../dynamodb/resources.ts';
import type { Partition } from '../../dynamodb/store.ts';
import { type TableDefinition, type TableName, tableNames, tables } from '../../dynamodb/tables.ts';
import type { Item } from '../../dynamodb/write.ts';

export type Contents = {
  table: TableName;
  partition: Partition;
  /** Partitions that only an item leads to. They are emptied before the item is removed. */
  below?: (item: Item) => readonly Contents[];
};

/** The tables with resources of projects, and so with tombstones of deleted ones. */
const withResources = tableNames.filter((table) => {
  const { resources }: TableDefinition = tables[table];
  return resources?.level === 'project';
});

/**
 * @returns the partitions of a project in the order of removal. Conversations and messages are separate, because only
 *   the messages name the partitions of their words
 */
export function projectContents(projectId: string): readonly Contents[] {
  const partition = (table: TableName, ...further: string[]): Contents => ({
    table,
    partition: [projectId, ...further],
  });
  const buildOf = (build: unknown) => [partition('knowledgeIndexes', 'build', String(build))];
  const versionsOf = ({ id }: Item) => [partition('avatars', id)];
  const sumsOf = (item: Item) =>
    storedGenerations(generations.read(item))
      .map(generationPart)
      .flatMap((generation) => [
        partition('conversationStats', 'days', generation),
        partition('conversationStats', 'counted', generation),
      ]);
  return [
    // A worker stops if its job is gone.
    { ...partition('jobs'), below: ({ id }) => buildOf(id) },
    partition('jobs', 'exports'),
    partition('jobs', 'exports', 'places'),
    partition('jobs', 'uploads', 'places'),
    partition('jobs', 'imports'),
    partition('jobs', 'latest'),
    partition('jobs', 'subjects'),
    partition('knowledge'),
    partition('knowledge', 'content'),
    partition('knowledge', 'external'),
    partition('knowledge', 'deleted'),
    partition('knowledgeIndexes'),
    { ...partition('knowledgeIndexes', 'versions'), below: ({ build }) => buildOf(build) },
    { ...partition('knowledgeIndexes', 'builds'), below: ({ id }) => buildOf(id) },
    { ...partition('knowledgeIndexes', 'stored'), below: ({ id }) => buildOf(id) },
    partition('knowledgeIndexes', 'expunging'),
    partition('knowledgeIndexes', 'expunged'),
    { ...partition('avatars'), below: versionsOf },
    { ...partition('avatars', 'removed'), below: versionsOf },
    partition('avatars', 'active'),
    partition('avatars', 'external'),
    partition('deployments'),
    partition('deployments', 'environments'),
    partition('conversations', 'external'),
    partition('conversations', 'retention'),
    { ...partition('conversationSearch'), below: sumsOf },
    partition('idempotency'),
    partition('limits', 'counted'),
    ...withResources.map((table) => partition(table, gonePlace)),
  ];
}
