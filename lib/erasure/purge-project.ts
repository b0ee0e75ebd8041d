/**
 * Purges a deleted project: removes everything below it, in every table. A run may be killed at any time. An item that names
 * other items is removed after them, so the next run finds the rest. The purge ends when all partitions are empty.
 */

import { inBatches, split } from '../base/batches.ts';
import { untilEmpty } from '../base/pages.ts';
import { again, retry } from '../base/retry.ts';
import { timestamp } from '../base/time.ts';
import { exportParts, fileKey } from '../bulk/exports/files/store.ts';
import { uploadKey, uploads } from '../bulk/imports/uploads/store.ts';
import { conversations, tombstones } from '../conversations/store/conversations.ts';
import { contributionsIn } from '../conversations/store/counters.ts';
import { closeGenerations, getGenerations, storedGenerations } from '../conversations/store/generations.ts';
import { indexedValues, removeEntries } from '../conversations/store/list-index.ts';
import { evaluatorContents, evaluatorSetters, evaluators } from '../evaluations/store/evaluators.ts';
import { eventsOfProject, removalsOfEvent } from '../events/store/events.ts';
import { forgetProject } from '../limits/store/day-sums.ts';
import { beginPurge, endPurge, getPurge, notePurge, purgeTarget } from '../projects/purges/store.ts';
import { deletedProjects } from '../projects/store.ts';
import { rolloutSetters, rollouts } from '../rollouts/store.ts';
import { sourceSetters, sources } from '../sources/store/sources.ts';
import { deliveriesOfProject, removalsOfDelivery } from '../webhooks/store/erase.ts';
import { entries, removeDue } from '../workers/due.ts';
import { schedule, unschedule } from '../workers/schedule/schedule.ts';
import { checkTurn, TurnOver } from '../workers/turn.ts';
import type { Item, WorkerInput, Write } from '../workers/worker.ts';
import { commitPatiently, waitForFence } from '../workers/writes.ts';
import { removeMessages, removeScores } from './purge-conversations.ts';
import {
  type Contents,
  type ProjectStore,
  projectContents,
  sourceContents,
  waitingPlaces,
} from './store/project-contents.ts';

const pageSize = 100;
const itemsAtOnce = 10;
/** The progress is saved after this many removed items. */
const noteEvery = 500;
const maxFailures = 10;

/** Starts the purge of a deleted project if it is due. Otherwise ensures that the schedule has it if it is deleted. */
export async function awaitPurge(projectId: string, input: WorkerInput): Promise<void> {
  const { store, nowMs } = input;
  const target = purgeTarget(projectId);
  const attempt = async () => {
    const project = await deletedProjects.at(store).get(projectId);
    if (!project) return unschedule(store, target, input);
    if (Date.parse(project.purgeAt) <= nowMs()) {
      const deletedAt = project.updatedAt;
      // If this is refused, the project was restored.
      await commitPatiently(input, beginPurge(store, projectId, { deletedAt, project }, nowMs()));
      return again;
    }
    await schedule(store, target, Date.parse(project.purgeAt), input);
    // It may have been restored since it was read. If that change was already handled, only this clears the schedule.
    const latestProject = await deletedProjects.at(store).get(projectId);
    return latestProject?.changedIn === project.changedIn ? undefined : again;
  };
  await retry(attempt, { failure: () => new Error('the purge cannot start') });
}

/** Continues a purge. @throws TurnOver, or another Error if a run fails; Lambda then repeats it */
export async function purgeProject(projectId: string, input: WorkerInput): Promise<void> {
  const { store, nowMs } = input;
  const purge = await getPurge(store, projectId);
  if (!purge || purge.status === 'succeeded') return;
  const progress = progressOf(projectId, input);
  try {
    await unschedule(store, purgeTarget(projectId), input);
    await stopWriters(projectId, purge.removedItems > 0, input);
    while ((await removeAll(projectId, input, progress)) > 0);
    await commitPatiently(input, [endPurge(store, projectId, progress.take(), nowMs())]);
  } catch (fault) {
    const removedItems = progress.take();
    if (fault instanceof TurnOver) {
      // Another run may have ended the purge.
      const changes = { failures: 0, error: null };
      await commitPatiently(input, [notePurge(store, projectId, changes, { removedItems })]);
      throw fault;
    }
    const failures = purge.failures + 1;
    const status = failures >= maxFailures ? 'failed' : 'running';
    const error = fault instanceof Error ? fault.name : 'Error';
    await commitPatiently(input, [
      notePurge(store, projectId, { status, failures, error }, { removedItems }),
    ]);
    throw fault;
  }
}

/** Workers may still have old changes of the project. Waits until no worker writes any more (lib/runtime/fence.ts). */
async function stopWriters(projectId: string, hasRemoved: boolean, input: WorkerInput): Promise<void> {
  const store = input.store.inProject(projectId);
  const generations = await getGenerations(store);
  // A later run may find that the item is already removed.
  if (!generations && hasRemoved) return;
  let closedAt = generations?.closedAt;
  if (!generations?.closed) {
    closedAt = timestamp(input.nowMs());
    const forgetting = forgetProject(store, projectId, input.nowMs());
    await commitPatiently(input, [closeGenerations(store, generations, closedAt), ...forgetting]);
  }
  // The run that closed them may have been killed before the end of its wait.
  if (closedAt) await waitForFence(input, Date.parse(closedAt));
}

/** Counts removed items, and saves the count at intervals. */
function progressOf(projectId: string, input: WorkerInput) {
  let count = 0;
  return {
    /** Counts items that are removed before another one. */
    count(items: number): void {
      count += items;
    },
    /** @throws TurnOver after a removal, so that each turn removes something */
    async add(items: number): Promise<void> {
      if (items === 0) return;
      count += items;
      if (count >= noteEvery) {
        await commitPatiently(input, [notePurge(input.store, projectId, {}, { removedItems: this.take() })]);
      }
      checkTurn(input);
    },
    /** @returns the number of items removed since the last save */
    take(): number {
      const result = count;
      count = 0;
      return result;
    },
  };
}

type Progress = ReturnType<typeof progressOf>;

/** @returns the number of items that this pass over all partitions has removed */
async function removeAll(projectId: string, input: WorkerInput, progress: Progress): Promise<number> {
  const store = input.store.inProject(projectId);
  let removed = await removeConversations(store, input, progress);
  const ofSource = async (item: Item): Promise<Before> => ({
    removed: 0,
    writes: [sourceSetters.remove(store, sources.read(item))],
  });
  for (const contents of sourceContents(store)) removed += await empty(contents, input, progress, ofSource);
  const ofEvaluator = async (item: Item): Promise<Before> => ({
    removed: 0,
    writes: [evaluatorSetters.remove(store, evaluators.read(item))],
  });
  for (const contents of evaluatorContents(store))
    removed += await empty(contents, input, progress, ofEvaluator);
  const ofRollout = async (item: Item): Promise<Before> => ({
    removed: 0,
    writes: [rolloutSetters.remove(store, rollouts.read(item))],
  });
  removed += await empty(rollouts.at(store), input, progress, ofRollout);
  for (const contents of projectContents(store)) removed += await empty(contents, input, progress);
  const ofEvent = async (item: Item): Promise<Before> => {
    const writes = await removalsOfEvent(input.store, item);
    return { removed: writes.length, writes };
  };
  removed += await empty(eventsOfProject(projectId), input, progress, ofEvent);
  // The files go first, because only the parts name them.
  const ofPart = async (item: Item): Promise<Before> => {
    await input.files.remove(fileKey(item));
    return { removed: 0, writes: [] };
  };
  removed += await empty(exportParts.at(store), input, progress, ofPart);
  const ofUpload = async (item: Item): Promise<Before> => {
    await input.files.remove(uploadKey(item));
    return { removed: 0, writes: [] };
  };
  removed += await empty(uploads.at(store), input, progress, ofUpload);
  const ofDelivery = async (item: Item): Promise<Before> => {
    const writes = removalsOfDelivery(input.store, item);
    return { removed: writes.length, writes };
  };
  removed += await empty(deliveriesOfProject(projectId), input, progress, ofDelivery);
  const ofEntry = async (item: Item): Promise<Before> => ({
    removed: 0,
    writes: [removeDue(entries.read(item))],
  });
  // Work that waits for the end of a suspension has places of its own.
  for (const place of waitingPlaces) {
    removed += await empty(entries.at(input.store, projectId, place), input, progress, ofEntry);
  }
  return removed + (await empty(entries.at(input.store, projectId), input, progress, ofEntry));
}

/**
 * Removes messages first, with their postings and responses; then the index entries of the conversation, and the
 * conversation itself.
 */
async function removeConversations(
  store: ProjectStore,
  input: WorkerInput,
  progress: Progress,
): Promise<number> {
  const ofMessages = async ({ id }: Item): Promise<Before> => {
    await removeMessages(store, id, input, progress.count);
    await removeScores(store, id, input, progress.count);
    return { removed: 0, writes: [] };
  };
  const ofConversation = async (item: Item): Promise<Before> => {
    await ofMessages(item);
    const writes = removeEntries(store, item.id, indexedValues(conversations.read(item)));
    return { removed: 0, writes };
  };
  let removed =
    (await empty(conversations.at(store), input, progress, ofConversation)) +
    (await empty(tombstones.at(store), input, progress, ofMessages));
  for (const generation of storedGenerations(await getGenerations(store))) {
    // TTL may have removed a conversation, but not yet its messages.
    removed += await empty(contributionsIn(store, generation), input, progress, ofMessages);
  }
  return removed;
}

/** The items to remove before an item: their number, and the writes that remove them. */
type Before = { removed: number; writes: Write<never>[] };

/**
 * @param before removes the items to which only this item leads
 * @returns the number of removed items
 */
async function empty(
  { table, partition, below }: Contents,
  input: WorkerInput,
  progress: Progress,
  before?: (item: Item) => Promise<Before>,
): Promise<number> {
  const { store, writeEach } = input;
  const query = {
    partition,
    from: ' ',
    to: '~',
    order: 'oldest',
    after: undefined,
    limit: pageSize,
  } as const;
  let removed = 0;
  for await (const items of untilEmpty(() => store.page(table, query))) {
    for (const item of items) {
      for (const contents of below?.(item) ?? []) removed += await empty(contents, input, progress);
    }
    for (const batch of split(items, before ? itemsAtOnce : pageSize)) {
      const removals = before ? await inBatches(batch, itemsAtOnce, before) : [];
      await writeEach(removals.flatMap(({ writes }) => writes));
      await writeEach(
        batch.map(({ id }) => store.remove(table, id, { partition, condition: { kind: 'any' } })),
      );
      const count = removals.reduce((sum, { removed: below }) => sum + below, batch.length);
      removed += count;
      // The next turn does not find the items of this one again.
      await progress.add(count);
    }
  }
  return removed;
}
