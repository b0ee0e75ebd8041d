/** Organisations: each alone in a partition of its own name. */

import type { Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';

export type Organisation = { id: string; name: string; createdAt: string };

export const createOrganisation = (store: Store, organisation: Organisation): Write<never> =>
  store.put('organisations', organisation);

export const getOrganisation = (store: Store, id: string): Promise<Organisation | undefined> =>
  store.get('organisations', id) as Promise<Organisation | undefined>;
