import { pagesOf } from '../../base/pages.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { eventEntries, events, redactedData } from './events.ts';

const pageSize = 100;

/**
 * Reduces the events of a resource to its id. Call it only after the wait of lib/runtime/fence.ts: a worker that read the
 * resource before the erasure then no longer writes.
 */
export async function eraseFromEvents(
  store: Store,
  resourceId: string,
  input: Pick<WorkerInput, 'writeEach'>,
): Promise<void> {
  const entries = eventEntries.at(store, 'resourceId', resourceId);
  for await (const items of pagesOf((after) => entries.page({ order: 'oldest', after, limit: pageSize }))) {
    const storedEvents = await events.at(store).getMany(items.map(({ id }) => id));
    const data = redactedData(resourceId);
    const writes = storedEvents
      .filter((event) => event.data !== data)
      .map((event) => events.at(store).put({ ...event, data }, { condition: { kind: 'any' } }));
    await input.writeEach(writes);
  }
}

/** @returns whether there are events of the resource */
export const hasEvents = async (store: Store, resourceId: string): Promise<boolean> =>
  (await eventEntries.at(store, 'resourceId', resourceId).page({ limit: 1 })).items.length > 0;

/** The purge of a project starts from the entries of its events. Other items are removed before each entry. */
export const eventsOfProject = (projectId: string) =>
  ({ table: 'events', partition: eventEntries.partition('projectId', projectId) }) as const;

/** @returns the removal of the event that the entry leads to, and of its other entries */
export async function removalsOfEvent(store: Store, { id }: Item): Promise<Write<never>[]> {
  const event = await events.at(store).get(id);
  if (!event) return [];
  const condition = { kind: 'any' } as const;
  return [
    eventEntries.at(store, 'type', event.type).remove(id, { condition }),
    eventEntries.at(store, 'resourceId', event.resourceId).remove(id, { condition }),
    events.at(store).remove(id, { condition }),
  ];
}
