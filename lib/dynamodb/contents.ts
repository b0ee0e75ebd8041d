/**
 * The purge of a project needs all its partitions, so each domain exports the partitions of its items. A test searches every
 * table after a purge, so it finds a partition that is missing.
 */

import { gonePlace } from './resources.ts';
import type { Partition, ProjectStore } from './store.ts';
import { type TableDefinition, type TableName, tableNames, tables } from './tables.ts';
import type { Item } from './write.ts';

export type Contents = {
  readonly table: TableName;
  readonly partition: Partition;
  /** Only an item leads to these partitions. They are emptied before the item is removed. */
  readonly below?: (item: Item) => readonly Contents[];
};

/** @returns the tombstones of deleted resources of a project */
export const tombstonesIn = ({ projectId }: ProjectStore): Contents[] =>
  tableNames
    .filter((table) => {
      const { resources }: TableDefinition = tables[table];
      return resources?.level === 'project';
    })
    .map((table) => ({ table, partition: [projectId, gonePlace] }));
