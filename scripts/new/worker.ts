/** The changes of `npm run new -- worker`. */

import { type TableName, tableNames, tables } from '../../lib/dynamodb/tables.ts';
import { UsageError } from '../shared/options.ts';
import type { Change } from './change.ts';
import { nameOf } from './index-file.ts';

const idForm = /^[a-z]+(-[a-z]+)*$/;
const isTable = (name: string): name is TableName => Object.hasOwn(tables, name);

/**
 * @param taken the ids of all workers and endpoints
 * @throws UsageError with one sentence that says what is wrong
 */
export function newWorker(id: string, table: string, taken: readonly string[]): Change {
  if (!idForm.test(id))
    throw new UsageError(`"${id}" is not the id of a worker: use words such as avatar-archiver.`);
  if (taken.includes(id)) throw new UsageError(`There is a worker or an endpoint ${id} already.`);
  if (!isTable(table))
    throw new UsageError(`There is no table "${table}": there are ${tableNames.join(', ')}.`);
  if (!tables[table].stream)
    throw new UsageError(`The table ${table} has no stream: set it in lib/dynamodb/tables.ts first.`);
  return {
    created: { [`workers/${id}.ts`]: declaration(id, table), [`test/lib/workers/${id}.test.ts`]: test(id) },
    changed: {},
    next: [
      `Say in workers/${id}.ts which changes it wants, what it does, whether it waits while its organisation is suspended, and what users lose while it fails.`,
      `Move test/lib/workers/${id}.test.ts to the folder of its domain, and test what it does.`,
      'Declare its table actions in access, and extend the story of test/promises/stored-items.test.ts until it uses them.',
    ],
  };
}

const declaration = (
  id: string,
  table: TableName,
) => `import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: '${id}',
  summary: 'Say here what it does',
  sources: ['${table}'],
  wants: ({ kind }) => kind === 'INSERT',
  access: {},
  ends: 'short',
  whileSuspended: 'waits',
  impact: 'Say here what users lose while it fails.',

  async handle() {
    // A notice comes at least once, late, and in any order: read the current state, and be safe to repeat.
  },
});
`;

const test = (id: string) => `import { expect, test } from 'vitest';
import ${nameOf(id)} from '../../../workers/${id}.ts';
import { openApi } from '../../../samples/api.ts';
import { noticesOf } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import { deliver } from '../../support/workers.ts';

test('${id} wants new items, and handles them', async () => {
  const api = await openApi();
  const item = { tenant: \`\${api.organisationId}#live\`, id: 'an-item' };
  const records = [changeRecord(undefined, item), changeRecord(item, item)];
  expect(noticesOf(${nameOf(id)}, records).map(({ kind }) => kind)).toEqual(['INSERT']);
  await deliver(api, ${nameOf(id)}, records);
});
`;
