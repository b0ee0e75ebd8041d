/**
 * Writes the events of changes. Their ids are derived from the changes, so a run that is killed or repeated writes nothing
 * twice. The data of an event is written within the time that lib/runtime/fence.ts allows after the resource was read, so an
 * erasure that waits for that time finds all data.
 */

import { apiKeys } from '../../api-keys/store.ts';
import { derivedId, timeOfId } from '../../base/ids.ts';
import { ttlSeconds } from '../../base/time.ts';
import { tombstones } from '../../conversations/store/conversations.ts';
import { deadlineMs, isOpen, jobAt } from '../../jobs/job.ts';
import { jobs } from '../../jobs/store.ts';
import { type Notice, type Notices, projectOf } from '../../workers/notice.ts';
import { schedule, type Target, unschedule } from '../../workers/schedule/schedule.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { writeWithinFence } from '../../workers/writes.ts';
import type { PlatformEvent } from '../schema.ts';
import {
  type EventContent,
  eventRetentionMs,
  events,
  hasEvents,
  isKept,
  putEventEntries,
  redactedData,
  showEvent,
} from '../store/events.ts';
import { around, momentsOf } from './moments.ts';
import { findProject, readResources, type Shown, subjectOf, type WebhooksInEvents } from './read.ts';
import { type Draft, type EventDrafts, jobEndId } from './store/changes.ts';

/** The worker that gets the notices. */
export const eventWriter = 'event-writer';

export type Written = {
  events: PlatformEvent[];
  /** The due notices of removed resources: their events and deliveries lose their data now. */
  removed: Notice[];
};

export async function writeEvents(
  notices: Notices,
  input: WorkerInput,
  webhooks: WebhooksInEvents,
): Promise<Written> {
  const { store } = input;
  const projectId = projectOf(notices[0]);
  const project = projectId === undefined ? undefined : await findProject(store, projectId);
  const isPurged = projectId !== undefined && project === undefined;
  const changeDrafts = notices
    .filter(({ kind }) => kind !== 'DUE')
    .flatMap(({ detail }) => (detail as EventDrafts).events);
  if (isPurged) {
    // The purge removes the other events of the project.
    const purgeDrafts = changeDrafts.filter(({ type }) => type === 'project.purged');
    return { events: await write(purgeDrafts, async () => new Map(), input), removed: [] };
  }
  const due = notices.filter(({ kind }) => kind === 'DUE');
  const drafts = [
    ...changeDrafts,
    ...(await Promise.all(due.map((notice) => handleDue(notice, input)))).flat(),
  ];
  const storedEvents = await write(
    drafts,
    (missingDrafts) =>
      readResources(
        missingDrafts,
        { store, project, organisation: input.organisation, nowMs: input.nowMs() },
        webhooks,
      ),
    input,
  );
  for (const draft of changeDrafts) await setTimer(draft, input);
  for (const notice of notices) {
    if (notice.kind !== 'DUE' && (notice.detail as EventDrafts).isRemoved) await awaitErasure(notice, input);
  }
  return { events: storedEvents, removed: due.filter(isOfRemoved) };
}

/** Events are reduced only when no worker can still write data that it read before the removal. */
async function awaitErasure(notice: Notice, input: WorkerInput): Promise<void> {
  const { store } = input;
  const [projectId = ''] = notice.partition;
  if (notice.table === 'conversations') {
    const erased = await tombstones.at(store.inProject(projectId)).getMany([notice.id]);
    // The eraser of conversations reduces their events.
    if (erased.length > 0) return;
  }
  if (!(await hasEvents(store, notice.id))) return;
  await schedule(store, targetOf(notice), notice.atMs + input.fence.waitMs, input);
}

/** @param read returns the resources of the events, by `subjectOf` */
async function write(
  drafts: readonly Draft[],
  read: (drafts: readonly Draft[]) => Promise<Map<string, Shown>>,
  input: WorkerInput,
): Promise<PlatformEvent[]> {
  const { store, writeEach } = input;
  // A notice of a change and a due notice may cause the same event.
  const contents = [...new Map(drafts.map((draft) => [draft.id, draft])).values()]
    .map((draft) => ({ ...draft, data: '', ttl: ttlSeconds(timeOfId(draft.id) + eventRetentionMs) }))
    .filter((event) => isKept(event, input.nowMs()));
  if (contents.length === 0) return [];
  const earlierEvents = await events.at(store).getMany(contents.map(({ id }) => id));
  const missingEvents = contents.filter(({ id }) => !earlierEvents.some((event) => event.id === id));
  await writeEach(contents.flatMap((event) => putEventEntries(store, event)));
  const { added } = await writeWithinFence(input, async () => {
    const resources = missingEvents.length === 0 ? new Map<string, Shown>() : await read(missingEvents);
    const added = missingEvents.map((event): EventContent => {
      // An environment that has come back has the name of the deleted one.
      const resource = event.type === 'environment.deleted' ? undefined : resources.get(subjectOf(event));
      const { data, ttl = event.ttl } = resource ?? {};
      const json = data ? JSON.stringify(data) : redactedData(event.resourceId);
      return { ...event, data: json, ttl: Math.min(event.ttl, ttl) };
    });
    const writes = added.map((event) => events.at(store).put(event, { condition: { kind: 'any' } }));
    return { added, writes };
  });
  return [...earlierEvents, ...added].map(showEvent);
}

const targetOf = ({ table, partition, id }: Pick<Notice, 'table' | 'partition' | 'id'>): Target => ({
  worker: eventWriter,
  table,
  partition,
  id,
});

/** Schedules the next event that comes without a change, such as an expiry. */
async function setTimer({ id, type, resourceId, projectId }: Draft, input: WorkerInput): Promise<void> {
  const { store } = input;
  if (type === 'api_key.created' || type === 'api_key.updated') {
    const [key] = await apiKeys.at(store).getMany([resourceId]);
    // Only the next event is scheduled: a caller that sets a near end knows it.
    const { next } = around(key ? momentsOf(key) : [], timeOfId(id));
    const target = targetOf({ table: 'apiKeys', partition: [], id: resourceId });
    if (next) await schedule(store, target, next.atMs, input);
  }
  if (type === 'job.created' && projectId !== null) {
    const [job] = await jobs.at(store.inProject(projectId)).getMany([resourceId]);
    const target = targetOf({ table: 'jobs', partition: [projectId], id: resourceId });
    if (job && isOpen(job)) await schedule(store, target, Date.parse(job.deadlineAt), input);
  }
}

/** Keys and jobs have events that come with time. */
const isOfRemoved = ({ table }: Notice): boolean => table !== 'apiKeys' && table !== 'jobs';

async function handleDue(notice: Notice, input: WorkerInput): Promise<Draft[]> {
  const { store } = input;
  const { table, partition, id } = notice;
  const [projectId = null] = partition;
  if (isOfRemoved(notice)) return [];
  if (table === 'apiKeys') return keyIsDue(notice, input);
  const [stored] = await jobs.at(store.inProject(`${projectId}`)).getMany([id]);
  const job = stored && jobAt(stored, input.nowMs(), input.organisation);
  if (stored && job && isOpen(job)) {
    await schedule(store, targetOf(notice), deadlineMs(stored, input.organisation), input);
    return [];
  }
  await unschedule(store, targetOf(notice), input);
  if (job?.status !== 'failed' || job.finishedAt === null) return [];
  const type = 'job.failed';
  return [{ id: jobEndId(id, type, job.finishedAt), type, resourceId: id, projectId }];
}

async function keyIsDue(notice: Notice, input: WorkerInput): Promise<Draft[]> {
  const { store } = input;
  const [key] = await apiKeys.at(store).getMany([notice.id]);
  const { latest, next } = around(key ? momentsOf(key) : [], input.nowMs());
  if (next) await schedule(store, targetOf(notice), next.atMs, input);
  else await unschedule(store, targetOf(notice), input);
  if (!latest) return [];
  const { type, atMs } = latest;
  const eventId = derivedId('event', atMs, [notice.id, type]);
  return [{ id: eventId, type, resourceId: notice.id, projectId: null }];
}
