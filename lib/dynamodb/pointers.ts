/**
 * A pointer leads from an externalId, which callers give, to a resource. A pointer is written and removed by the transaction
 * that writes its resource, so two resources never have the same externalId.
 *
 * A pointer can be left over: its resource has expired, or a restore has brought back only the pointer. It then leads to no
 * resource with this externalId, and the next resource that gets the externalId replaces it.
 */

import { hash } from 'node:crypto';
import { type Items, type Stored, unchanged } from './collection.ts';
import type { Write } from './write.ts';

export type StoredPointer = Stored<{ id: string; resourceId: string }>;
/** The pointer of a resource that may expire expires with it. */
export type ExpiringPointer = StoredPointer & { ttl?: number };
type Pointers = Items<ExpiringPointer>;

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
  const items = await pointers.getMany([...names.keys()]);
  return new Map(items.map((pointer) => [names.get(pointer.id) ?? '', pointer]));
}

/**
 * The write fails if another request gives the externalId to a resource at the same time.
 * @param leftOver a pointer whose resource is gone
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

type NamedResource = { id: string; externalId: string | null };
type Resources<Kind> = { get(id: string): Promise<Kind | undefined> };

/** The resource to which an externalId leads. */
export type Found<Kind> = { pointer: StoredPointer | undefined; resource: Kind | undefined };

export async function findNamed<Kind extends NamedResource>(
  pointers: Pointers,
  resources: Resources<Kind>,
  externalId: string,
): Promise<Found<Kind>> {
  const pointer = await getPointer(pointers, externalId);
  const resource = pointer && (await resources.get(pointer.resourceId));
  return { pointer, resource: resource?.externalId === externalId ? resource : undefined };
}

/**
 * Moves the pointer of a resource whose externalId changes. Nothing is read if it does not change.
 * @param before undefined for a new resource
 * @param after undefined for a deleted resource
 * @returns the writes, or the resource that already has the new externalId
 */
export async function movePointer<Kind extends NamedResource>(
  pointers: Pointers,
  resources: Resources<Kind>,
  before: NamedResource | undefined,
  after: NamedResource | undefined,
): Promise<{ writes: Write<never>[]; holder?: Kind }> {
  const [from, to] = [before?.externalId ?? null, after?.externalId ?? null];
  if (from === to) return { writes: [] };
  const [old, target] = await Promise.all([
    from === null ? undefined : getPointer(pointers, from),
    to === null ? undefined : findNamed(pointers, resources, to),
  ]);
  if (target?.resource) return { writes: [], holder: target.resource };
  const writes: Write<never>[] = [];
  if (old && old.resourceId === before?.id)
    writes.push(pointers.remove(old.id, { condition: unchanged(old) }));
  if (after && to !== null) writes.push(putPointer(pointers, to, after, target?.pointer));
  return { writes };
}
