/**
 * Drafts of audit events, from changes of items. A draft is made of one stream record: the put of a resource, its tombstone,
 * the put of a traced helper by a request, or a noted refusal. So the split and the order of the other records do not matter. A
 * draft waits in a queue, so it has only fields that the log may have.
 */

import { derivedId } from '../../base/derived-ids.ts';
import { timeOfId } from '../../base/ids.ts';
import { type ResourceChange, resourceChanges, tracedChange } from '../../dynamodb/resource-changes.ts';
import { resourceAt } from '../../dynamodb/resources.ts';
import type { Item } from '../../dynamodb/write.ts';
import type { Change } from '../../workers/change.ts';
import type { Notice } from '../../workers/notice.ts';
import type { AuditEvent } from '../schema.ts';
import { changedFields, type Logged, loggedOf, loggedValues } from './fields.ts';
import { readRefusal } from './refusals.ts';

/** An event, without the fields that are only known when it is written. */
/** `via` follows from the user agent. */
export type Origin = Omit<NonNullable<AuditEvent['origin']>, 'via'>;

export type Draft = Omit<AuditEvent, 'at' | 'actor' | 'origin'> & { actorId: string; origin: Origin | null };

/** A longer value is left out, in bytes of JSON. */
const maxValueBytes = 1024;
/** All values of an event. */
const maxTotalBytes = 4096;

/** @returns undefined if the change is no event */
export function draftOf(change: Change): Draft | undefined {
  const refusal = change.kind === 'INSERT' && change.after && readRefusal(change.table, change.after);
  if (refusal) return refusal;
  const { table, before, after } = change;
  const [found = tracedChange({ table, before, after })] = resourceChanges([{ table, before, after }]);
  const logged = found && loggedOf(table, found.id);
  // `npm run replay` knows only the items as they are.
  const isReplayed = change.sequence === '' && after !== undefined;
  return logged && describe(found, logged, isReplayed);
}

/** @throws Error if the notice does not say what has changed */
export function readDraft({ detail }: Pick<Notice, 'detail'>): Draft {
  if (!detail) throw new Error('the notice does not say what has changed');
  return detail as Draft;
}

function describe(change: ResourceChange, logged: Logged, isReplayed: boolean): Draft | undefined {
  const { table, home, id, after, changedBy, changedIn, changedThrough = changedBy } = change;
  const before = logged.owner
    ? { tenant: home, id }
    : (change.before ?? (after && logged.beforeMove?.(after, resourceAt(table, after)?.place ?? '')));
  const changes = compare(logged, before, after);
  const isKept = before !== undefined && after !== undefined && changes.fields.length === 0;
  if ((isKept || isReplayed) && changedThrough.startsWith('worker:')) return undefined;
  const { changedFrom: address = null, changedUsing: userAgent = null, changedRequest = null } = change;
  const projectId = logged.type === 'project' ? id : (home.split('#')[2] ?? null);
  return {
    id: derivedId('auditEvent', timeOfId(changedIn), [changedIn, table, home, id]),
    actorId: changedBy,
    action: changedThrough,
    outcome: 'succeeded',
    reason: null,
    resource: { type: logged.type, id: (after && logged.owner?.(after)) ?? id },
    projectId,
    changes: isReplayed ? null : changes,
    requestId: changedRequest,
    callId: changedIn,
    origin: address === null && userAgent === null ? null : { address, userAgent },
  };
}

type Values = Record<string, unknown>;

function compare(
  logged: Logged,
  before: Item | undefined,
  after: Item | undefined,
): NonNullable<AuditEvent['changes']> {
  const empty = { fields: [], before: null, after: null, omitted: [] };
  if (!after) return empty;
  const { old, now, names: fields } = changedFields(logged, before, after);
  const [from, to] = [loggedValues(logged.type, old), loggedValues(logged.type, now)];
  const omitted: string[] = [];
  const shown: { before: Values; after: Values } = { before: {}, after: {} };
  let bytes = 0;
  for (const name of fields.filter((field) => logged.values.includes(field))) {
    const pair = [from[name] ?? null, to[name] ?? null];
    const sizes = pair.map((value) => Buffer.byteLength(JSON.stringify(value)));
    const size = sizes.reduce((sum, one) => sum + one, name.length);
    if (Math.max(...sizes) > maxValueBytes || bytes + size > maxTotalBytes) {
      omitted.push(name);
      continue;
    }
    bytes += size;
    [shown.before[name], shown.after[name]] = pair;
  }
  return { fields, before: before ? shown.before : null, after: shown.after, omitted };
}
