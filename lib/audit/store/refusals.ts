/**
 * A request that is refused notes its refusal once for each credential, reason and hour, so a flood of requests leaves few
 * notes. The note is an item of the table of API keys, which every function may update, and whose stream leads to the audit
 * log. So no function of the API may write to the log.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { credentialIn, type Tenant } from '../../base/caller.ts';
import { derivedId, timeOfId } from '../../base/ids.ts';
import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import type { Session } from '../../dynamodb/session.ts';
import { sendUpdate } from '../../dynamodb/session.ts';
import type { TableName } from '../../dynamodb/tables.ts';
import { type Author, type Item, updateExpression } from '../../dynamodb/write.ts';
import type { RefusalReason, ResourceType } from '../schema.ts';

/** A note is kept for longer than the stream keeps its change (24 hours). */
const keptMs = 2 * dayMs;

const place = 'refused';

type StoredRefusal = Stored<{
  id: string;
  reason: RefusalReason;
  action: string;
  resourceType: ResourceType;
  resourceId: string;
  requestId: string | null;
  address: string | null;
  userAgent: string | null;
  ttl: number;
}>;

export const refusals = tenantCollection<StoredRefusal>('apiKeys', () => [place]);

export type Refusal = {
  tenant: Tenant;
  reason: RefusalReason;
  resource: { type: ResourceType; id: string };
};

/** The refusals that this process has noted, so that a flood does not cost a write for each request. */
const notedIds = new Set<string>();
const maxNoted = 1000;

export async function noteRefusal(
  session: Session,
  { tenant, reason, resource }: Refusal,
  author: Author,
): Promise<void> {
  const { changedBy, changedThrough: action, nowMs } = author;
  const hour = timestamp(nowMs).slice(0, 13);
  // Attempts to get more permissions differ by action. With an invalid key, all requests fail in the same way.
  // The tokens of a workload identity have many subjects.
  const credential = credentialIn(changedBy);
  const subject = reason === 'escalation' ? [credential, reason, action] : [credential, reason];
  const id = [...subject, hour].join('#');
  if (notedIds.has(`${tenant}#${id}`)) return;
  const { changedIn, changedRequest = null, changedFrom = null, changedUsing = null } = author;
  const note = {
    reason,
    action,
    resourceType: resource.type,
    resourceId: resource.id,
    requestId: changedRequest,
    address: changedFrom,
    userAgent: changedUsing,
    ttl: ttlSeconds(nowMs + keptMs),
    changedBy,
    changedIn,
  };
  await addOnce(session, { tenant: `${tenant}#${place}`, id }, note);
  if (notedIds.size >= maxNoted) notedIds.clear();
  notedIds.add(`${tenant}#${id}`);
}

/** Adds the item, unless it exists. `commit` is not used: every function has this code, and most commit nothing. */
async function addOnce(
  session: Session,
  Key: { tenant: string; id: string },
  attributes: object,
): Promise<void> {
  const update = updateExpression({ ...attributes }, {});
  const ExpressionAttributeNames = { ...update.ExpressionAttributeNames, '#id': 'id' };
  const ConditionExpression = 'attribute_not_exists(#id)';
  try {
    await sendUpdate(session, 'apiKeys', { Key, ...update, ExpressionAttributeNames, ConditionExpression });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** @returns the draft of the event; undefined if the item is no noted refusal */
export function readRefusal(table: TableName, item: Item) {
  if (table !== 'apiKeys' || item.tenant.split('#')[2] !== place) return undefined;
  const { reason, action, resourceType, resourceId, requestId, address, userAgent, changedBy, changedIn } =
    refusals.read(item);
  return {
    id: derivedId('auditEvent', timeOfId(changedIn), [changedIn, reason, item.id]),
    actorId: changedBy,
    action,
    outcome: 'refused' as const,
    reason,
    resource: { type: resourceType, id: resourceId },
    projectId: null,
    changes: null,
    requestId,
    callId: changedIn,
    origin: address === null && userAgent === null ? null : { address, userAgent },
  };
}
