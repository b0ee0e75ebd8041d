/** The key table in docs/storage.md. */

import { tables } from '../../lib/dynamodb/tables.ts';
import { type Kind, kinds } from '../items/kinds.ts';
import { table, withTables } from '../shared/markdown.ts';
import type { Files } from './files.ts';

const rowOf = (kind: Kind) => [
  kind.table,
  `\`${kind.tenant}\``,
  `\`${kind.id}\`: ${kind.about}`,
  kind.removed,
  tables[kind.table].stream ? 'yes' : 'no',
];

const head = ['table', '`tenant`', '`id`', 'removed by TTL', 'stream'];

export const generate = (): Files => withTables('docs/storage.md', { items: table(head, kinds.map(rowOf)) });
