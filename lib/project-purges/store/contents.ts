/**
 * Where everything below a project is stored, for its purge: the only list of all partitions of a project. A test looks
 * for what is left in every table, and so finds a partition that is missing here.
 */

import type { Partition } from '../../dynamodb/store.ts';
import type { TableName } from '../../dynamodb/tables.ts';
import type { Item } from '../../dynamodb/write.ts';

export type Contents = {
  table: TableName;
  partition: Partition;
  /** The partitions that are found through an item alone: they are emptied before the item is removed. */
  below?: (item: Item) => readonly Contents[];
};

/**
 * @returns the partitions of a project in the order in which they are emptied. Conversations and what leads to messages are
 *   not among them: the words are in partitions that only the messages name
 */
export function projectContents(projectId: string): readonly Contents[] {
  const partition = (table: TableName, ...further: string[]): Contents => ({
    table,
    partition: [projectId, ...further],
  });
  const buildOf = (build: unknown) => [partition('knowledgeIndexes', 'build', String(build))];
  const versionsOf = ({ id }: Item) => [partition('avatars', id)];
  return [
    // Without its job, a worker stops.
    { ...partition('jobs'), below: ({ id }) => buildOf(id) },
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
    partition('deployments'),
    partition('deployments', 'environments'),
    partition('conversations', 'timers'),
    partition('conversations', 'retention'),
    partition('conversationSearch'),
    partition('conversationStats', 'days'),
    partition('idempotency'),
  ];
}
