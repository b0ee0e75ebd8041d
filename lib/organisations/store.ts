/**
 * Organisations, each in its own partition. Every request reads its organisation in parallel with its credential, so a
 * suspended organisation is refused from the next request on.
 */

import { type Stored, tenantCollection, unchanged } from '../dynamodb/collection.ts';
import type { Session } from '../dynamodb/session.ts';
import { bindStore, type Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';

export type Organisation = {
  id: string;
  name: string;
  createdAt: string;
  /** While it is suspended. */
  suspendedAt?: string;
  /** Its deletion has begun, so it stays suspended. */
  deletionBeganAt?: string;
};

export type StoredOrganisation = Stored<Organisation>;

export const organisations = tenantCollection<StoredOrganisation>('organisations');

export const createOrganisation = (store: Store, organisation: Organisation): Write<never> =>
  organisations.at(store).put(organisation);

/** @returns the organisation; its partition is its own, whatever the mode of the caller */
export const getOrganisation = (session: Session, id: string): Promise<StoredOrganisation | undefined> =>
  organisations.at(bindStore(session, id)).get(id);

/**
 * Workers ask this before each run. So a deletion, which waits until all earlier runs have ended, is not disturbed.
 * @returns whether the tenant's organisation exists, and is not being deleted
 */
export async function existsUndeleted(session: Session, tenant: string): Promise<boolean> {
  const [id = ''] = tenant.split('#');
  const organisation = await getOrganisation(session, id);
  return organisation !== undefined && organisation.deletionBeganAt === undefined;
}

export const requireUnchanged = (store: Store, organisation: StoredOrganisation): Write<never> =>
  organisations.at(store).check(organisation.id, { condition: unchanged(organisation) });

/** Suspends an organisation, and begins its deletion if `deletionBeganAt` is given. */
export const suspendOrganisation = (
  store: Store,
  organisation: StoredOrganisation,
  changes: Pick<Organisation, 'suspendedAt' | 'deletionBeganAt'>,
): Write<never> =>
  organisations.at(store).update(organisation.id, changes, { condition: unchanged(organisation) });

export const resumeOrganisation = (store: Store, organisation: StoredOrganisation): Write<never> =>
  organisations
    .at(store)
    .update(organisation.id, {}, { condition: unchanged(organisation), drop: ['suspendedAt'] });
