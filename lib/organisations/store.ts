/** Organisations, each in its own partition. */

import { type Stored, tenantCollection } from '../dynamodb/collection.ts';
import type { Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';

export type Organisation = { id: string; name: string; createdAt: string };

export const organisations = tenantCollection<Stored<Organisation>>('organisations');

export const createOrganisation = (store: Store, organisation: Organisation): Write<never> =>
  organisations.at(store).put(organisation);

export const getOrganisation = (store: Store, id: string): Promise<Stored<Organisation> | undefined> =>
  organisations.at(store).get(id);
