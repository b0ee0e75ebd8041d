/**
 * Requests are counted in windows, with one item for each limit, or for each of its shares. Every change is one conditional
 * update, so no two functions can both take the last request.
 */

import { mostBy, type Period, periodsMs, type RateLimit, type Window } from '../../base/rate-limit.ts';
import { ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import type { UpdateParameters } from '../../dynamodb/session.ts';

type StoredWindow = Stored<{ id: Period; ttl: number } & Window>;

/** Each window is in a partition of its own, because a partition takes no more writes than an item. */
export const windows = tenantCollection<StoredWindow, [holder: string, shard: string]>(
  'limits',
  (holder, shard) => [holder, shard],
);

/** `holder` is the id of the key that has the limit, or `tenant`. */
export type WindowPlace = { tenant: string; holder: string; shard: number };

export type Send = (
  parameters: UpdateParameters,
) => Promise<{ Attributes?: Readonly<Record<string, unknown>> | undefined }>;

/** The window after the update, or the stored window if the condition of the update failed. */
export type Outcome = { taken: Window } | { found: Window | undefined };

const names = { '#start': 'startMs', '#count': 'count', '#previous': 'previousCount' };

const keyOf = ({ tenant, holder, shard }: WindowPlace, per: Period) => ({
  tenant: [tenant, ...windows.partition(holder, `${shard}`)].join('#'),
  id: per,
});

async function update(
  send: Send,
  Key: ReturnType<typeof keyOf>,
  parameters: Omit<UpdateParameters, 'Key'>,
): Promise<Outcome> {
  try {
    const { Attributes } = await send({
      Key,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...parameters,
    });
    return { taken: Attributes as Window };
  } catch (error) {
    // The error is recognised by its name: this file is bundled apart from the SDK, so classes differ.
    const { name, Item } = error as Error & { Item?: Record<string, { N?: string }> };
    if (name !== 'ConditionalCheckFailedException') throw error;
    const number = (attribute: keyof Window) => Number(Item?.[attribute]?.N);
    if (!Item) return { found: undefined };
    return {
      found: { startMs: number('startMs'), count: number('count'), previousCount: number('previousCount') },
    };
  }
}

/** The previous count is not known before the first update, so the condition has a case for each eighth of the limit. */
const cases = 8;

/**
 * Takes one request in the window that starts then, without knowing the stored window. It may fail although there is room: by
 * an eighth of the previous count, or if the window is not open yet.
 */
export function takeUnseen(
  send: Send,
  place: WindowPlace,
  limit: RateLimit,
  { startMs, nowMs }: { startMs: number; nowMs: number },
): Promise<Outcome> {
  const values: Record<string, number> = { ':start': startMs, ':one': 1 };
  const alternatives: string[] = [];
  for (let part = 0; part <= cases; part += 1) {
    const previousCount = Math.floor((limit.requests * part) / cases);
    values[`:most${part}`] = mostBy(nowMs, limit, { startMs, previousCount });
    if (part < cases) values[`:previous${part}`] = previousCount;
    // A lowered limit may find a higher previous count. It counts as the limit.
    const previousCase = part < cases ? `#previous <= :previous${part} AND ` : '';
    alternatives.push(`(${previousCase}#count < :most${part})`);
  }
  return update(send, keyOf(place, limit.per), {
    UpdateExpression: 'ADD #count :one',
    ConditionExpression: `#start = :start AND (${alternatives.join(' OR ')})`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  });
}

/** Takes one request in an open window, if the window is still open and has fewer requests than `most`. */
export const takeNext = (
  send: Send,
  place: WindowPlace,
  per: Period,
  { startMs, most }: { startMs: number; most: number },
): Promise<Outcome> =>
  update(send, keyOf(place, per), {
    UpdateExpression: 'ADD #count :one',
    ConditionExpression: '#start = :start AND #count < :most',
    ExpressionAttributeNames: { '#start': names['#start'], '#count': names['#count'] },
    ExpressionAttributeValues: { ':start': startMs, ':most': most, ':one': 1 },
  });

/**
 * Opens a window and takes its first request. Only one of the requests that try succeeds.
 * @param before the stored window, which must not have changed
 */
export function openWindow(
  send: Send,
  place: WindowPlace,
  per: Period,
  { startMs, previousCount }: Window,
  before: Window | undefined,
): Promise<Outcome> {
  const expiryMs = startMs + 2 * periodsMs[per];
  return update(send, keyOf(place, per), {
    UpdateExpression: 'SET #start = :start, #count = :one, #previous = :previous, #ttl = :ttl',
    ConditionExpression: before ? '#start = :before AND #count = :found' : 'attribute_not_exists(#start)',
    ExpressionAttributeNames: { ...names, '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':start': startMs,
      ':one': 1,
      ':previous': previousCount,
      // A window has no influence after two periods.
      ':ttl': ttlSeconds(expiryMs),
      ...(before && { ':before': before.startMs, ':found': before.count }),
    },
  });
}

/** Gives a request back that another limit has refused, if the window is still open. */
export const giveBack = (
  send: Send,
  place: WindowPlace,
  per: Period,
  { startMs }: Pick<Window, 'startMs'>,
): Promise<Outcome> =>
  update(send, keyOf(place, per), {
    UpdateExpression: 'ADD #count :less',
    ConditionExpression: '#start = :start AND #count > :none',
    ExpressionAttributeNames: { '#start': names['#start'], '#count': names['#count'] },
    ExpressionAttributeValues: { ':start': startMs, ':less': -1, ':none': 0 },
  });
