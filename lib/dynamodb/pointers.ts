/**
 * Pointers from the externalIds that callers give to resources. A pointer is written and removed by the transaction that
 * writes its resource, so two resources never have the same externalId.
 *
 * A pointer can be left over: its resource has expired, or a restore has brought back only the pointer. It then leads to no
 * resource with this externalId, and the next resource that gets the externalId replaces it.
 */

import { hash } from 'node:crypto';
import { type Items, type Stored, unchanged } from './collection.ts';
import type { Write } from './write.ts';

export type StoredPointer = Stored<{ id: string; resourceId: string }>;
/** Of a resource that may expire. */
export type ExpiringPointer = StoredPointer & { ttl?: number };
type Pointers = Items<ExpiringPointer>;

/** The partition of the pointers. */
export const externalPart = 'external';

/** A sort key has at most 1024 bytes, and 255 characters of text may be longer. */
const pointerId = (externalId: string) => hash('sha256', externalId, 'base64url');

export const getPointer = (pointers: Pointers, externalId: string): Promise<ExpiringPointer | undefined> =>
  pointers.get(pointerId(externalId));

/** @returns the pointers that exist, by externalId */
export async function getPointers(
  pointers: Pointers,
  externalIds: readonly string[],
): Promise<Map<string, ExpiringPointer>> {
  const names = new Map(externalIds.map((externalId) => [pointerId(externalId), externalId]));
  const found = await pointers.getMany([...names.keys()]);
  return new Map(found.map((pointer) => [names.get(pointer.id) ?? '', pointer]));
}

/**
 * Fails if another request gives the externalId to a resource at the same time.
 * @param ttl of the resource, if it has one
 * @param leftOver the pointer whose resource is gone, if there is such a pointer
 */
export const putPointer = (
  pointers: Pointers,
  externalId: string,
  { id: resourceId, ttl }: { id: string; ttl?: number },
  leftOver: StoredPointer | undefined,
): Write<never> =>
  pointers.put(
    { id: pointerId(externalId), resourceId, ...(ttl !== undefined && { ttl }) },
    { condition: leftOver ? unchanged(leftOver) : { kind: 'absent' } },
  );

type Named = { id: string; externalId: string | null };
type Resources<Kind> = { get(id: string): Promise<Kind | undefined> };

/** The resource to which an externalId leads. */
export type Found<Kind> = { pointer: StoredPointer | undefined; resource: Kind | undefined };

export async function findNamed<Kind extends Named>(
  pointers: Pointers,
  resources: Resources<Kind>,
  externalId: string,
): Promise<Found<Kind>> {
  const pointer = await getPointer(pointers, externalId);
  const resource = pointer && (await resources.get(pointer.resourceId));
  return { pointer, resource: resource?.externalId === externalId ? resource : undefined };
}

/**
 * Moves the pointer of a resource whose externalId changes. Reads nothing if it does not change.
 * @param before undefined for a new resource
 * @param after undefined for a deleted resource
 * @returns the writes, or the resource that already has the new externalId
 */
export async function movePointer<Kind extends Named>(
  pointers: Pointers,
  resources: Resources<Kind>,
  before: Named | undefined,
  after: Named | undefined,
): Promise<{ writes: Write<never>[]; holder?: Kind }> {
  const [from, to] = [before?.externalId ?? null, after?.externalId ?? null];
  if (from === to) return { writes: [] };
  const [old, found] = await Promise.all([
    from === null ? undefined : getPointer(pointers, from),
    to === null ? undefined : findNamed(pointers, resources, to),
  ]);
  if (found?.resource) return { writes: [], holder: found.resource };
  const writes: Write<never>[] = [];
  if (old && old.resourceId === before?.id)
    writes.push(pointers.remove(old.id, { condition: unchanged(old) }));
  if (after && to !== null) writes.push(putPointer(pointers, to, after, found?.pointer));
  return { writes };
}
