/**
 * The tombstone of a deleted resource says who removed it, because the stream record of a removal has only the old item, with
 * the stamps of its last change. The tombstone is written in the same transaction.
 */

import { dayMs, ttlSeconds } from '../base/time.ts';
import { gonePlace, resourceAt, resourceKey } from './resources.ts';
import type { Author, Write } from './write.ts';

/** A tombstone is kept for longer than a stream keeps a change (24 hours), for late readers of the stream. */
export const keptMs = 7 * dayMs;

/** @returns the tombstones of the resources that these writes remove. A resource that they only move gets no tombstone */
export function putGone(writes: readonly Write[], { nowMs }: Pick<Author, 'nowMs'>): Write<never>[] {
  if (!writes.some(({ action }) => action === 'DeleteItem')) return [];
  const tombstones = new Map<string, Write<never>>();
  const putNames = new Set<string>();
  for (const { action, table, key } of writes) {
    const resource = resourceAt(table, key);
    if (!resource) continue;
    const name = `${table}/${resourceKey(resource)}`;
    if (action === 'PutItem') putNames.add(name);
    if (action !== 'DeleteItem') continue;
    tombstones.set(name, {
      action: 'PutItem',
      table,
      key: { tenant: `${resource.home}#${gonePlace}`, id: resource.id },
      attributes: { ttl: ttlSeconds(nowMs + keptMs) },
      condition: { kind: 'any' },
      onConditionFailed: 'retry',
    });
  }
  return [...tombstones].flatMap(([name, write]) => (putNames.has(name) ? [] : [write]));
}
