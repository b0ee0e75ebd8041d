/**
 * A draft of an audit event is made of one stream record: the put of a resource, its tombstone, the put of a traced helper by a
 * request, or a noted refusal. So the split and the order of other records do not matter. A draft waits in a queue, so it has
 * only fields that the log may have.
 */

import { derivedId, timeOfId } from '../../base/ids.ts';
import { type ResourceChange, resourceChanges, tracedChange } from '../../dynamodb/resource-changes.ts';
import { resourceAt } from '../../dynamodb/resources.ts';
import type { Item } from '../../dynamodb/write.ts';
import type { Change } from '../../workers/change.ts';
import type { Notice } from '../../workers/notice.ts';
import type { AuditEvent } from '../schema.ts';
import { changedFields, type Logged, loggedOf, loggedValues } from './fields.ts';
import { readRefusal } from './refusals.ts';

/** `via` follows from the user agent, so it is not stored. */
export type Origin = Omit<NonNullable<AuditEvent['origin']>, 'via'>;

export type Draft = Omit<AuditEvent, 'at' | 'actor' | 'origin'> & { actorId: string; origin: Origin | null };

/** The values of an event have at most so many bytes of JSON each, and together. Longer values are left out. */
const maxValueBytes = 1024;
const maxTotalBytes = 4096;

/** @returns undefined if the change is no event */
export function draftOf(change: Change): Draft | undefined {
  const refusal = change.kind === 'INSERT' && change.after && readRefusal(change.table, change.after);
  if (refusal) return refusal;
  const { table, before, after } = change;
  const [resourceChange = tracedChange({ table, before, after })] = resourceChanges([
    { table, before, after },
  ]);
  const logged = resourceChange && loggedOf(table, resourceChange.id);
  // `npm run replay` knows only the items as they are.
  const isReplayed = change.sequence === '' && after !== undefined;
  return logged && describe(resourceChange, logged, isReplayed);
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
  const { old, current, names: fields } = changedFields(logged, before, after);
  const [from, to] = [loggedValues(logged.type, old), loggedValues(logged.type, current)];
  const omitted: string[] = [];
  const values: { before: Values; after: Values } = { before: {}, after: {} };
  let bytes = 0;
  for (const name of fields.filter((field) => logged.values.includes(field))) {
    const pair = [from[name] ?? null, to[name] ?? null];
    const sizes = pair.map((value) => Buffer.byteLength(JSON.stringify(value)));
    const size = sizes.reduce((sum, bytesOfValue) => sum + bytesOfValue, name.length);
    if (Math.max(...sizes) > maxValueBytes || bytes + size > maxTotalBytes) {
      omitted.push(name);
      continue;
    }
    bytes += size;
    [values.before[name], values.after[name]] = pair;
  }
  return { fields, before: before ? values.before : null, after: values.after, omitted };
}
