/** Copies one item of a restored table, or skips it. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { split } from '../../lib/base/batches.ts';
import { newIdFactory } from '../../lib/base/ids.ts';
import { countConversations } from '../../lib/conversations/count.ts';
import { contributionsIn } from '../../lib/conversations/store/counters.ts';
import { currentGeneration, getGenerations } from '../../lib/conversations/store/generations.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore, type Store } from '../../lib/dynamodb/store.ts';
import { type Access, partitionKey, sortKey, tableNames } from '../../lib/dynamodb/tables.ts';
import type { Author, Item } from '../../lib/dynamodb/write.ts';
import { isDeleted } from '../../lib/organisations/store.ts';
import { rolloutPlace } from '../../lib/rollouts/store.ts';
import { asleep } from './asleep.ts';
import { comingBack, endedWrites, isGone, isTombstone, partitionParts } from './restored.ts';
import { returningEnvironment, returningRollout } from './rollouts.ts';
import type { StageTables } from './stage-tables.ts';
import { isDisabledWithKey } from './stays-ended.ts';

export type Outcome = 'copied' | 'present' | 'skipped';

const author = (): Author => ({
  changedBy: 'copy-missing',
  changedThrough: 'script:copy-missing',
  changedIn: newId('call', Date.now()),
  nowMs: Date.now(),
});
const newId = newIdFactory(Math.random);
/** A transaction has at most 100 writes, with those of tombstones. */
const writesAtOnce = 40;
/** The operator's own credentials decide what is allowed. */
const access: Access = Object.fromEntries(
  tableNames.map((table) => [
    table,
    ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  ]),
);

/** Copies an item into a table of the stage, unless it exists there or must stay removed. */
export async function putBack(
  client: DynamoDBDocumentClient,
  stage: StageTables,
  to: string,
  item: Item,
): Promise<Outcome> {
  const { tenant } = partitionParts(item);
  const session = openSession(client, stage.names, access);
  const store = bindStore(session, tenant);
  const organisationId = organisationOf(item);
  const isLost = async () =>
    (await isDeleted(session, organisationId)) || isGone(store, stage.table, item, Date.now());
  if (await isLost()) return 'skipped';
  if (stage.table === 'conversationStats') return countAgain(session, tenant, item);
  const fitting = stage.table === 'deployments' ? await fittingRollout(store, item) : item;
  const back = asleep(stage.table, comingBack(stage.table, fitting, Date.now()), Date.now());
  if (!(await putIfAbsent(client, to, back))) return 'present';
  if (!(await isLost())) return 'copied';
  // It has just been erased, and its eraser may have run before the item was copied.
  await remove(client, to, item);
  return 'skipped';
}

async function fittingRollout(store: Store, item: Item): Promise<Item> {
  const [projectId = '', place] = partitionParts(item).partition;
  const inStore = store.inProject(projectId);
  if (place === rolloutPlace) return returningRollout(inStore, item, Date.now());
  return place === 'environments' ? returningEnvironment(inStore, item) : item;
}

/** A copied sum would count again what is already counted. */
async function countAgain(
  session: ReturnType<typeof openSession>,
  tenant: string,
  item: Item,
): Promise<Outcome> {
  const [projectId = '', kind] = partitionParts(item).partition;
  if (kind !== 'counted') return 'skipped';
  const store = bindStore(session, tenant).inProject(projectId);
  const generation = currentGeneration(await getGenerations(store));
  if (await contributionsIn(store, generation).get(item.id)) return 'present';
  await countConversations(store, [{ id: item.id, atMs: Date.now() }], {
    commit: (writes) => commit(session, writes, author()),
    sleep: async () => undefined,
  });
  return 'copied';
}

/** Copies a tombstone or revocation over an existing item, and removes what it names. */
export async function carryOver(
  client: DynamoDBDocumentClient,
  { table }: StageTables,
  to: string,
  item: Item,
): Promise<Outcome> {
  if (!isTombstone(table, item)) return 'skipped';
  const session = openSession(client, { [table]: to }, access);
  const writes = await endedWrites(bindStore(session, partitionParts(item).tenant), table, item);
  // A source may have thousands of pages.
  for (const some of split(writes, writesAtOnce)) {
    if (!(await commit(session, some, author()))) continue;
    throw new Error(`Another process writes to ${to}. Run the command again when it has finished.`);
  }
  const back = comingBack(table, item, Date.now());
  // Without its secret, a webhook is of no use.
  if (isDisabledWithKey(table, item))
    return (await put(client, to, back, 'attribute_exists(#id)')) ? 'copied' : 'skipped';
  await client.send(new PutCommand({ TableName: to, Item: back }));
  return 'copied';
}

/** @returns a function that removes an item if it is of a deleted organisation, and says whether it was */
export function removerOfDeleted(client: DynamoDBDocumentClient, { names }: StageTables, from: string) {
  const session = openSession(client, names, access);
  const known = new Map<string, Promise<boolean>>();
  return async (item: Item): Promise<boolean> => {
    const id = organisationOf(item);
    const answer = known.get(id) ?? isDeleted(session, id);
    known.set(id, answer);
    if (!(await answer)) return false;
    await remove(client, from, item);
    return true;
  };
}

/** What is due, or how far something has come, begins with other names. They are never copied. */
const organisationOf = (item: Item): string => partitionParts(item).tenant.split('#')[0] ?? '';

const putIfAbsent = (client: DynamoDBDocumentClient, table: string, item: Item): Promise<boolean> =>
  put(client, table, item, 'attribute_not_exists(#id)');

async function put(
  client: DynamoDBDocumentClient,
  table: string,
  item: Item,
  condition: string,
): Promise<boolean> {
  try {
    await client.send(
      new PutCommand({
        TableName: table,
        Item: item,
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#id': sortKey },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

const remove = (client: DynamoDBDocumentClient, table: string, { tenant, id }: Pick<Item, 'tenant' | 'id'>) =>
  client.send(new DeleteCommand({ TableName: table, Key: { [partitionKey]: tenant, [sortKey]: id } }));
