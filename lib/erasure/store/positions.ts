/** How far an erasure is among the events and deliveries of a resource, which stay. */

import { projectCollection, type Stored, tenantCollection } from '../../dynamodb/collection.ts';

/** `after` names the last event or delivery that is erased. After `ttl`, the erasure begins again with the first event. */
type StoredPosition = Stored<{ id: string; after: string; ttl: number }>;

/** Of a conversation that is purged. */
export const purgePositions = projectCollection<StoredPosition>('conversations', () => ['purging']);

/** Of a removed resource. The id is `<resource>#<due ms>`, so the erasure after another removal begins with the first event. */
export const removalPositions = tenantCollection<StoredPosition>('deliveries', () => ['erasing']);
