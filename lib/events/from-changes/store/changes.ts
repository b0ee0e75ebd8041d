/**
 * This is the only list of the changes that are events. A change of a resource is one event, or two events if it has two
 * meanings. A change that is not in the audit log is not an event.
 */

import { isDeepStrictEqual } from 'node:util';
import { wasChangedAs } from '../../../audit/stated.ts';
import { changedFields, loggedOf } from '../../../audit/store/fields.ts';
import { environments } from '../../../avatars/deployments/store/environments.ts';
import { derivedId, timeOfId } from '../../../base/ids.ts';
import { timestamp } from '../../../base/time.ts';
import { scoredPlace } from '../../../conversations/store/scores.ts';
import { type ResourceChange, resourceChanges } from '../../../dynamodb/resource-changes.ts';
import { gonePlace, resourceAt } from '../../../dynamodb/resources.ts';
import type { TableName } from '../../../dynamodb/tables.ts';
import type { Item } from '../../../dynamodb/write.ts';
import { purgesPartition } from '../../../projects/purges/store.ts';
import { rollouts } from '../../../rollouts/store.ts';
import { sources } from '../../../sources/store/sources.ts';
import type { Change } from '../../../workers/change.ts';
import { rolloutEvents } from '../../rollouts.ts';
import type { EventType } from '../../types.ts';

/** A draft is an event without its data, because it waits in a queue. */
export type Draft = { id: string; type: EventType; resourceId: string; projectId: string | null };

/** The content of a notice for the writer of events. */
export type EventDrafts = {
  events: readonly Draft[];
  /** The resource is gone, so its events may no longer show it. */
  isRemoved: boolean;
};

type DetectedChange = ResourceChange & { isNew: boolean };
type Rule = (change: DetectedChange) => readonly EventType[];

const createdOrChanged =
  (type: EventType, changed: EventType): Rule =>
  ({ isNew }) => [isNew ? type : changed];

const project: Rule = (change) => {
  const { after, isNew } = change;
  // `project.purged` is the event of the removal.
  if (!after) return [];
  if (after.status === 'deleted') return ['project.deleted'];
  if (wasChangedAs(change, 'project.restored')) return ['project.restored'];
  return [isNew ? 'project.created' : 'project.updated'];
};

const apiKey: Rule = ({ before, after, isNew }) => {
  if (isNew) return ['api_key.created'];
  if (typeof after?.revokedAt === 'string' && typeof before?.revokedAt !== 'string')
    return ['api_key.revoked'];
  return [before && before.rotatedAt !== after?.rotatedAt ? 'api_key.rotated' : 'api_key.updated'];
};

const identity: Rule = ({ before, after, isNew }) => {
  if (isNew) return ['workload_identity.created'];
  const isDeleted = typeof after?.revokedAt === 'string' && typeof before?.revokedAt !== 'string';
  return [isDeleted ? 'workload_identity.deleted' : 'workload_identity.updated'];
};

const source: Rule = ({ before, after, isNew }) => {
  if (isNew) return ['source.created'];
  const [old, last] = [before, after].map((item) => item && sources.read(item).lastRefresh);
  if (!last || last.jobId === old?.jobId) return ['source.updated'];
  return [last.status === 'succeeded' ? 'source.refreshed' : 'source.failed'];
};

const jobEnds = {
  succeeded: 'job.succeeded',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
} as const satisfies Record<string, EventType>;
const jobStates: Readonly<Record<string, EventType>> = { running: 'job.started', ...jobEnds };
const isJobEnd = (type: EventType) => Object.values<EventType>(jobEnds).includes(type);

const job: Rule = ({ before, after, isNew }) => {
  if (isNew) return ['job.created'];
  const state = jobStates[`${after?.status}`];
  return state && before?.status !== after?.status ? [state] : [];
};

const deployment: Rule = (change) => {
  const { before, after, isNew } = change;
  const isPromoted = after?.phase === 'current' && before?.phase !== 'current';
  const isRollback = wasChangedAs(change, 'deployment.rolled_back');
  const promotion = isRollback ? 'deployment.rolled_back' : 'deployment.promoted';
  if (isNew) return ['deployment.created', ...(isPromoted ? ([promotion] as const) : [])];
  return [isPromoted ? promotion : 'deployment.updated'];
};

const rollout: Rule = ({ before, after, isNew }) => {
  if (isNew) return ['rollout.started'];
  if (!after) return [];
  return rolloutEvents(before && rollouts.read(before), rollouts.read(after));
};

const environment: Rule = ({ before, after, isNew }) => {
  if (isNew) return ['environment.created'];
  // Its rollout has events of its own.
  const isOfRollout = before && after && isDeepStrictEqual(servedIn(before), servedIn(after));
  return isOfRollout ? [] : ['environment.updated'];
};

function servedIn(item: Item) {
  const { history, serves, rollback } = environments.read(item);
  return { history, serves, rollback };
}

const conversation: Rule = ({ before, after, isNew }) => {
  const isEnded = after?.status === 'ended' && before?.status !== 'ended';
  if (isNew) return ['conversation.started', ...(isEnded ? (['conversation.ended'] as const) : [])];
  return [isEnded ? 'conversation.ended' : 'conversation.updated'];
};

const webhook: Rule = ({ before, after, isNew }) => {
  if (isNew) return ['webhook.created'];
  if (after?.disabled === true && before?.disabled === false) return ['webhook.disabled'];
  return [
    before && before.secretCreatedAt !== after?.secretCreatedAt ? 'webhook.rotated' : 'webhook.updated',
  ];
};

/** `keepsEvents`: another resource may have the same id, so the removal does not reduce the events of this id. */
type Rules = { changed: Rule; removed?: EventType; keepsEvents?: true };

const rules: { readonly [Table in TableName]?: (id: string) => Rules } = {
  projects: () => ({ changed: project }),
  apiKeys: (id) => ({ changed: id.startsWith('wid_') ? identity : apiKey }),
  avatars: () => ({
    changed: createdOrChanged('avatar.created', 'avatar.updated'),
    removed: 'avatar.deleted',
  }),
  knowledge: (id) =>
    id.startsWith('src_')
      ? { changed: source, removed: 'source.deleted' }
      : { changed: createdOrChanged('document.created', 'document.updated'), removed: 'document.deleted' },
  jobs: () => ({ changed: job }),
  deployments: (id) =>
    id.startsWith('dep_')
      ? { changed: deployment }
      : id.startsWith('rol_')
        ? { changed: rollout }
        : {
            changed: environment,
            removed: 'environment.deleted',
            // Each project has an environment with this name.
            keepsEvents: true,
          },
  conversations: (id) =>
    id.startsWith('eval_')
      ? { changed: createdOrChanged('evaluator.created', 'evaluator.updated') }
      : { changed: conversation, removed: 'conversation.deleted' },
  webhooks: () => ({ changed: webhook, removed: 'webhook.deleted' }),
};

/** The tables whose changes are events. */
export const eventSources = Object.keys(rules) as TableName[];

/** @returns undefined if the change is no event */
export function draftsOf(change: Change): EventDrafts | undefined {
  const { table, kind, before } = change;
  const place = kind === 'REMOVE' && before ? resourceAt(table, before)?.place : undefined;
  const rule = rules[table]?.(change.id);
  if (place !== undefined && place !== gonePlace && rule?.removed && !rule.keepsEvents)
    return { events: [], isRemoved: true };
  const events = [...ofResource(change), ...ofRemains(change)];
  return events.length > 0 ? { events, isRemoved: false } : undefined;
}

function ofResource(change: Change): Draft[] {
  const { table, before, after } = change;
  const [resourceChange] = resourceChanges([{ table, before, after }]);
  const rule = resourceChange && rules[table]?.(resourceChange.id);
  if (!resourceChange || !rule || !isEvent(change, resourceChange)) return [];
  const { home, id, changedIn } = resourceChange;
  const projectId = table === 'projects' ? id : (home.split('#')[2] ?? null);
  // `npm run replay` knows only the items as they are.
  const isCreation =
    !isReplayed(change) || resourceChange.after?.createdAt === timestamp(timeOfId(changedIn));
  const isNew = resourceChange.after !== undefined && resourceChange.before === undefined && isCreation;
  const types = resourceChange.after
    ? rule.changed({ ...resourceChange, isNew })
    : rule.removed
      ? [rule.removed]
      : [];
  return types.map((type) => ({
    id: isJobEnd(type)
      ? jobEndId(id, type, `${resourceChange.after?.finishedAt}`)
      : derivedId('event', timeOfId(changedIn), [changedIn, table, home, id, type]),
    type,
    resourceId: id,
    projectId,
  }));
}

const isReplayed = ({ sequence, after }: Change): boolean => sequence === '' && after !== undefined;

/** A worker that changes only internal attributes of the service causes no event. */
function isEvent(change: Change, resourceChange: ResourceChange): boolean {
  const { table, id, before, after, changedBy, changedThrough = changedBy } = resourceChange;
  if (!changedThrough.startsWith('worker:')) return true;
  // The event writer then removes again the data that a restore has brought back.
  if (changedThrough === 'worker:conversation-eraser' && !after) return false;
  if (isReplayed(change)) return false;
  const logged = loggedOf(table, id);
  return !logged || !before || !after || changedFields(logged, before, after).names.length > 0;
}

/**
 * The end of a job is one event, whether it is stored or its deadline is over.
 * @param finishedAt an ISO 8601 time
 */
export const jobEndId = (id: string, type: EventType, finishedAt: string): string =>
  derivedId('event', Date.parse(finishedAt), [id, type]);

/** A change of the retention changes only when scores expire. */
const isScored = (before: Item | undefined, after: Item): boolean =>
  before?.changedIn !== after.changedIn && after.changedBy !== 'worker:retention-rewriter';

/** Some items that remain of a removed resource cause events, too. */
function ofRemains({ table, partition, id, before, after }: Change): Draft[] {
  const draft = (type: EventType, projectId: string): Draft[] => {
    const changedIn = `${after?.changedIn}`;
    const subject = [changedIn, table, id, type];
    return [{ id: derivedId('event', timeOfId(changedIn), subject), type, resourceId: id, projectId }];
  };
  const [first = '', second] = partition;
  if (table === 'conversations' && second === 'erased' && typeof after?.purgedAt === 'string')
    return before?.purgedAt === undefined ? draft('conversation.erased', first) : [];
  if (table === 'conversations' && second === scoredPlace && after)
    return isScored(before, after) ? draft('conversation.scored', first) : [];
  if (table === 'projects' && first === purgesPartition && after?.status === 'succeeded')
    return before?.status === 'succeeded' ? [] : draft('project.purged', id);
  return [];
}
