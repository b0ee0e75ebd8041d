/**
 * Each organisation has its own partition. Every request reads its organisation in parallel with its credential, so a suspended
 * organisation is refused from the next request on.
 */

import { hash } from 'node:crypto';
import { type Stored, tenantCollection, unchanged } from '../dynamodb/collection.ts';
import type { Session } from '../dynamodb/session.ts';
import { bindStore, type Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { afterResumption, type Suspendable } from './suspensions.ts';

export type Organisation = Suspendable & {
  id: string;
  name: string;
  createdAt: string;
  /** Its deletion has begun, so it stays suspended. */
  deletionBeganAt?: string;
};

export type StoredOrganisation = Stored<Organisation>;

/** A restore skips an organisation with this item. The id is a SHA-256, because nothing of the organisation stays. */
type DeletedOrganisation = Stored<{ id: string; deletionBeganAt: string }>;

export const organisations = tenantCollection<StoredOrganisation>('organisations');

/** Deletions have their own partition, and stay for as long as there may be backups: without an end. */
const deletedOrganisations = tenantCollection<DeletedOrganisation>('organisations');
export const deletedTenant = 'deleted';

const tombstoneId = (id: string): string => hash('sha256', id, 'hex');

/** Notes that the organisation is deleted. A second note changes nothing. */
export const noteDeletion = (session: Session, id: string, deletionBeganAt: string): Write<never> =>
  deletedOrganisations
    .at(bindStore(session, deletedTenant))
    .put({ id: tombstoneId(id), deletionBeganAt }, { condition: { kind: 'any' } });

/** @returns whether the organisation is deleted, or is being deleted */
export const isDeleted = async (session: Session, id: string): Promise<boolean> =>
  (await deletedOrganisations.at(bindStore(session, deletedTenant)).get(tombstoneId(id))) !== undefined;

export const createOrganisation = (store: Store, organisation: Organisation): Write<never> =>
  organisations.at(store).put(organisation);

/** @returns the organisation; its partition does not depend on the mode of the caller */
export const getOrganisation = (session: Session, id: string): Promise<StoredOrganisation | undefined> =>
  organisations.at(bindStore(session, id)).get(id);

/**
 * Workers check this before each run, so they do not disturb a deletion, which waits until all earlier runs have ended.
 * @returns whether the organisation exists, and is not being deleted
 */
export const isKept = (organisation: StoredOrganisation | undefined): organisation is StoredOrganisation =>
  organisation !== undefined && organisation.deletionBeganAt === undefined;

export const requireUnchanged = (store: Store, organisation: StoredOrganisation): Write<never> =>
  organisations.at(store).check(organisation.id, { condition: unchanged(organisation) });

/** Suspends an organisation, and begins its deletion if `changes` has `deletionBeganAt`. */
export const suspendOrganisation = (
  store: Store,
  organisation: StoredOrganisation,
  changes: Pick<Organisation, 'suspendedAt' | 'deletionBeganAt'>,
): Write<never> =>
  organisations.at(store).update(organisation.id, changes, { condition: unchanged(organisation) });

/** @param now the end of the suspension */
export const resumeOrganisation = (
  store: Store,
  organisation: StoredOrganisation,
  now: string,
): Write<never> =>
  organisations
    .at(store)
    .update(
      organisation.id,
      { suspensions: afterResumption(organisation, now) },
      { condition: unchanged(organisation), drop: ['suspendedAt'] },
    );
