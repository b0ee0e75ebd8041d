import { pagesOf, untilEmpty } from '../../base/pages.ts';
import type { ProjectStore, Store } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import { type Checkpoint, checkTurn } from '../../workers/turn.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { isOpen } from '../rules/attempts.ts';
import {
  advanceDelivery,
  deliveries,
  deliveryIndex,
  deliveryIndexId,
  deliveryPayloads,
  recoveryPositions,
  type StoredDelivery,
} from './deliveries.ts';
import { webhookHealth } from './health.ts';

const pageSize = 100;

/**
 * Removes transcripts and the responses of receivers from the deliveries of a resource. The rest of a request comes from the
 * event. Call this function only after the wait of lib/runtime/fence.ts: a worker that read the resource before the erasure then
 * no longer writes.
 */
export async function eraseFromDeliveries(
  store: ProjectStore,
  resourceId: string,
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
  { after: begin, save }: Checkpoint,
): Promise<void> {
  const range = { from: deliveryIndexId(resourceId, ' '), to: deliveryIndexId(resourceId, '~') };
  const index = deliveryIndex.at(store);
  const readPage = (after = begin || undefined) =>
    index.page({ ...range, order: 'oldest', after, limit: pageSize });
  for await (const items of pagesOf(readPage)) {
    for (const { id, webhookId } of items)
      await eraseDelivery(store, { id: id.split('#')[1] ?? '', webhookId }, input);
    const last = items.at(-1);
    if (last) await save(last.id);
  }
}

async function eraseDelivery(
  store: Store,
  { id, webhookId }: { id: string; webhookId: string },
  input: Pick<WorkerInput, 'commit' | 'sleep'>,
): Promise<void> {
  const extra = deliveryPayloads.at(store, webhookId).remove(id, { condition: { kind: 'any' } });
  await commitPatiently(input, [extra]);
  for (;;) {
    const delivery = await deliveries.at(store, webhookId).get(id);
    const write = delivery && withoutBodies(store, webhookId, delivery);
    // If an attempt has changed the delivery, it is read again.
    if (!write || !(await commitPatiently(input, [write]))) return;
  }
}

/**
 * A sender may have read erased data. If its attempt has not begun, it does not begin. If the attempt is under way, its outcome
 * is not stored, as if another attempt had begun. Then the sender reads the delivery again.
 */
function withoutBodies(
  store: Store,
  webhookId: string,
  { id, status, attempts, begun }: StoredDelivery,
): Write<never> | undefined {
  const mayBegin = status === 'pending' || isOpen(attempts.at(-1));
  if (!mayBegin && attempts.every(({ body }) => body === null)) return undefined;
  const changes = { attempts: attempts.map((attempt) => ({ ...attempt, body: null })), begun: begun + 1 };
  return advanceDelivery(store, webhookId, { id, begun }, changes);
}

/** The purge of a project starts from the entries of its deliveries. Other items are removed before each entry. */
export const deliveriesOfProject = (projectId: string) =>
  ({ table: 'deliveries', partition: [projectId, ...deliveryIndex.partition()] }) as const;

/** @returns the removal of the delivery that the entry leads to */
export function removalsOfDelivery(store: Store, entry: Item): Write<never>[] {
  const { id, webhookId } = deliveryIndex.read(entry);
  return removals(store, webhookId, id.split('#')[1] ?? '');
}

const removals = (store: Store, webhookId: string, id: string): Write<never>[] =>
  [deliveryPayloads, deliveries].map((collection) =>
    collection.at(store, webhookId).remove(id, { condition: { kind: 'any' } }),
  );

/**
 * Removes everything that is stored for a webhook that no longer exists.
 * @throws TurnOver. The next turn removes the rest
 */
export async function removeDeliveriesOf(
  webhookId: string,
  input: Pick<WorkerInput, 'store' | 'writeEach' | 'turn'>,
): Promise<void> {
  const { store, writeEach } = input;
  const webhookDeliveries = deliveries.at(store, webhookId);
  for await (const items of untilEmpty(() => webhookDeliveries.page({ order: 'oldest', limit: pageSize }))) {
    await writeEach(
      items.flatMap(({ id, projectId, resourceId }) => [
        ...(projectId === null
          ? []
          : [
              deliveryIndex
                .at(store.inProject(projectId))
                .remove(deliveryIndexId(resourceId, id), { condition: { kind: 'any' } }),
            ]),
        ...removals(store, webhookId, id),
      ]),
    );
    checkTurn(input);
  }
  await writeEach(
    [webhookHealth, recoveryPositions].map((collection) =>
      collection.at(store).remove(webhookId, { condition: { kind: 'any' } }),
    ),
  );
}
