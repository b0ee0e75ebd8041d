/** The stored data of an organisation in all tables, so that a test can search for text that must not be there. */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { gonePlace } from '../../lib/dynamodb/resources.ts';
import { type TableName, tableNames } from '../../lib/dynamodb/tables.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';

/** @returns everything as text, decompressed; vectors and the hashes of their texts in hex */
export async function storedText(api: TestApi): Promise<string> {
  const texts: string[] = [];
  const parts = new Map<string, { id: string; bytes: Buffer }[]>();
  for (const table of tableNames) {
    for (const item of await storedOf(api, table)) {
      const { bytes, gzip, ...rest } = item;
      texts.push(JSON.stringify(bytes instanceof Uint8Array ? rest : { ...rest, bytes }));
      if (gzip instanceof Uint8Array) texts.push(gunzipSync(gzip).toString());
      if (!(bytes instanceof Uint8Array)) continue;
      if (`${item.id}`.startsWith('vectors-')) {
        texts.push(Buffer.from(bytes).toString('hex'));
        continue;
      }
      // An index is compressed as a whole, each block by itself.
      const whole = `${item.tenant} ${`${item.id}`.startsWith('index-') ? '' : item.id}`;
      parts.set(whole, [...(parts.get(whole) ?? []), { id: `${item.id}`, bytes: Buffer.from(bytes) }]);
    }
  }
  for (const some of parts.values()) {
    some.sort((a, b) => (a.id < b.id ? -1 : 1));
    texts.push(brotliDecompressSync(Buffer.concat(some.map(({ bytes }) => bytes))).toString());
  }
  return texts.join('\n');
}

/** @returns the items without the tombstones of deleted resources */
export const withoutGone = (items: readonly Json[]): Json[] =>
  items.filter(({ tenant }) => !`${tenant}`.endsWith(`#${gonePlace}`));

/** Gives a stored item a value that no request can set any more. */
export async function changeStored(
  api: Pick<TestApi, 'runtime' | 'organisationId'>,
  table: TableName,
  id: string,
  attribute: string,
  value: unknown,
): Promise<void> {
  const [item] = (await storedOf(api, table)).filter((one) => one.id === id && attribute in one);
  await api.runtime.client.send(
    new UpdateCommand({
      TableName: api.runtime.tableNames[table],
      Key: { tenant: item?.tenant, id },
      UpdateExpression: 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}
