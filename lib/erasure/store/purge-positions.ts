/** How far the purge of a conversation is, among its events and deliveries, which stay. */

import { projectCollection, type Stored } from '../../dynamodb/collection.ts';

/** `after` names the last event or delivery that is erased. After `ttl`, the purge begins again with the first event. */
type StoredPurgePosition = Stored<{ id: string; after: string; ttl: number }>;

export const purgePositions = projectCollection<StoredPurgePosition>('conversations', () => ['purging']);
