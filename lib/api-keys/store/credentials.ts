/**
 * API keys and workload identities have much in common. Both are in the partition of their tenant, and both can create further
 * keys and identities. Credentials that have ended are returned for 30 days.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type Caller, credentialIn, credentialKind, type Tenant, withinProjects } from '../../base/caller.ts';
import { idPrefixes, idRangeOf, lastIdAt, timeOfId } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import type { KeyLimit, RateLimit } from '../../base/rate-limit.ts';
import type { Scope } from '../../base/scopes.ts';
import { dayMs, hourMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { type Items, type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import type { Session } from '../../dynamodb/session.ts';
import { sendUpdate } from '../../dynamodb/session.ts';
import type { Page, Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

export const shownAfterEndMs = 30 * dayMs;
/**
 * A table can be restored to any second of the last 35 days. Ended credentials are kept for longer, so that a restore cannot
 * bring a credential back without its end.
 */
export const keptAfterEndMs = 90 * dayMs;

/** The stored fields of keys and identities. */
export type Credential = {
  id: string;
  name: string;
  scopes: Scope[];
  projectIds: string[] | null;
  /** A credential without this list reaches all environments. */
  environments?: string[];
  createdBy: string;
  createdAt: string;
  expiresAt: string | null;
  /** The revocation of a key, or the deletion of an identity. */
  revokedAt: string | null;
  lastUsedAt: string | null;
  lastUsedFrom?: string;
  /** A credential without this list may be used from everywhere. */
  allowedCidrs?: string[];
  /** A credential without this limit may send any number of requests. */
  rateLimit?: RateLimit;
  /**
   * The limits of the credentials above it, the topmost first (restrictions.ts). If the list is missing, there are no such limits, or
   * the key is older than the list. An older key gets the list when a limit of a key that was created before it is set.
   */
  limitedBy?: readonly KeyLimit[];
  /** The request of `children=true`. A worker ends what this credential created, and notes its result here. */
  childrenRevocation?: {
    requestedAt: string;
    /** The scopes, projects and environments of the caller: it may end only credentials within them. */
    scopes: readonly Scope[];
    projectIds: readonly string[] | null;
    /** Missing for all environments. */
    environments?: readonly string[];
    finishedAt: string | null;
    revoked: number;
    skipped: number;
    webhookIds: string[];
  };
  /** The key or identity above it whose revocation with its children also ended the jobs of this credential. */
  workEndedBy?: string;
  ttl?: number;
};

export type StoredCredential = Stored<Credential>;
export type ChildrenRevocation = NonNullable<Credential['childrenRevocation']>;

export const credentials = tenantCollection<StoredCredential>('apiKeys');

const kinds = ['apiKey', 'workloadIdentity'] as const;

/** @returns whether the id belongs to a key or an identity, which have items */
export const isCredentialId = (id: string): boolean => credentialKind(id) !== 'access_token';

type Ending = Pick<Credential, 'revokedAt' | 'expiresAt'>;

/** @returns whether the credential has ended, and how. A suspended identity counts as active */
export function endOf({ revokedAt, expiresAt }: Ending, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
}

export const expiryMs = ({ expiresAt }: Pick<Credential, 'expiresAt'>): number | null =>
  expiresAt === null ? null : Date.parse(expiresAt);

const timeMs = (time: string | null) => (time === null ? Number.POSITIVE_INFINITY : Date.parse(time));

/** @returns infinity for a credential without an end */
const endMs = ({ revokedAt, expiresAt }: Ending) => Math.min(timeMs(revokedAt), timeMs(expiresAt));

export const ttlOf = (credential: Ending) => {
  const end = endMs(credential);
  return end === Number.POSITIVE_INFINITY ? {} : { ttl: ttlSeconds(end + keptAfterEndMs) };
};

/** The item is stored for longer than it is returned. */
export const isGone = (credential: Ending, nowMs: number) => endMs(credential) + shownAfterEndMs <= nowMs;

/** @returns whether the credential exists for the caller: it has not ended long ago, and is within the caller's projects */
export const isVisible = (
  credential: Ending & Pick<Credential, 'projectIds'>,
  { caller, nowMs }: { caller: Pick<Caller, 'projectIds'>; nowMs: number },
): boolean => !isGone(credential, nowMs) && withinProjects(caller, credential.projectIds);

/**
 * A check that the caller's key or identity is unchanged since the start of the request. So a credential that has ended, or that
 * lost a scope, cannot grant anything in a request that has already started. An access token has no item and is never revoked; a
 * key that it creates expires no later than the token.
 */
export function requireCaller(store: Store, { id, changedIn }: Caller): Write<'service_unavailable'>[] {
  if (changedIn === null) return [];
  const condition = unchanged({ changedIn });
  return [credentials.at(store).check(id, { condition, onConditionFailed: 'service_unavailable' })];
}

type Version = Pick<StoredCredential, 'id' | 'changedIn'>;

/** @returns a check that the credential is as it was read. It writes nothing */
export const checkCredential = (store: Store, credential: Version): Write<never> =>
  credentials.at(store).check(credential.id, { condition: unchanged(credential) });

/**
 * Ends a credential permanently. Concurrent changes do not prevent this.
 * @param workEndedBy with it, the jobs of the credential end, too
 */
export function revoke(
  store: Store,
  credential: StoredCredential,
  revokedAt: string,
  workEndedBy?: string,
): Write<never> {
  const attributes = {
    revokedAt,
    ...ttlOf({ ...credential, revokedAt }),
    ...(workEndedBy !== undefined && { workEndedBy }),
  };
  return credentials.at(store).update(credential.id, attributes, {
    condition: { kind: 'null', attribute: 'revokedAt' },
  });
}

/** Ends a credential permanently, and requests the end of the credentials below it. */
export function revokeWithChildren(
  store: Store,
  credential: StoredCredential,
  revokedAt: string,
  childrenRevocation: ChildrenRevocation,
): Write<never> {
  const attributes = { revokedAt, ...ttlOf({ ...credential, revokedAt }), childrenRevocation };
  return credentials.at(store).update(credential.id, attributes, { condition: unchanged(credential) });
}

/** Ends the jobs of an ended credential. The write fails if TTL has removed the credential. */
export const endWork = (store: Store, { id }: Version, workEndedBy: string): Write<never> =>
  credentials.at(store).update(id, { workEndedBy }, { condition: { kind: 'present' } });

/**
 * Reads the credential with strong consistency.
 * @param principal as in `createdBy`
 * @returns whether it, or a credential above it, was revoked with its children. False for an access token, which has no item
 */
export async function isWorkEnded(store: Store, principal: string): Promise<boolean> {
  const id = credentialIn(principal);
  const credential = isCredentialId(id) ? await credentials.at(store).get(id) : undefined;
  return (credential?.childrenRevocation ?? credential?.workEndedBy) !== undefined;
}

/** Notes how far the revocation of the children is. This is no change of the credential for which callers would retry. */
export const noteChildrenRevocation = (
  store: Store,
  credential: Version,
  childrenRevocation: ChildrenRevocation,
): Write<never> =>
  credentials.at(store).update(credential.id, { childrenRevocation }, { condition: unchanged(credential) });

/**
 * Sets the limits that a credential inherits from those above it, if it is unchanged since it was read. This does not count as a
 * change of the credential.
 */
export const setInheritedLimits = (
  store: Store,
  credential: Version,
  limitedBy: readonly KeyLimit[],
): Write<never> => {
  const [changes, drop] = limitedBy.length > 0 ? [{ limitedBy }, []] : [{}, ['limitedBy'] as const];
  return credentials.at(store).update(credential.id, changes, { condition: unchanged(credential), drop });
};

export type CredentialList<Status> = {
  createdBy: string | undefined;
  expiresBeforeMs: number | undefined;
  status: Status | undefined;
  after: string | undefined;
  limit: number;
};

/** @returns a page of the credentials of one kind that exist for the caller, the newest first */
export async function listCredentials<Item extends StoredCredential, Status>(
  { kind, items, statusOf }: CredentialKind<Item, Status>,
  call: { caller: Caller; nowMs: number },
  { createdBy, expiresBeforeMs, status, after, limit }: CredentialList<Status>,
): Promise<Page<Item>> {
  const filter = (item: Item) =>
    isVisible(item, call) &&
    (createdBy === undefined || credentialIn(item.createdBy) === createdBy) &&
    (expiresBeforeMs === undefined || (expiryMs(item) ?? Number.POSITIVE_INFINITY) < expiresBeforeMs) &&
    (status === undefined || statusOf(item, call.nowMs) === status);
  const { first: from, last: to } = idRangeOf(kind);
  const page = await items.page({ from, to, after, limit, filter });
  return { ...page, next: visiblePosition(kind, page) };
}

type CredentialKind<Item extends StoredCredential, Status> = {
  kind: (typeof kinds)[number];
  items: Items<Item>;
  statusOf: (item: Item, nowMs: number) => Status;
};

/**
 * The position for the cursor of a list. If the caller may not see the last item that was read, the position has the time of the
 * item, but not its id. The next page then reads the other items of that millisecond again. The earlier pages have not returned
 * these items.
 */
function visiblePosition(
  kind: (typeof kinds)[number],
  { items, next }: Page<StoredCredential>,
): string | null {
  const last = items.at(-1)?.id;
  if (next === null || next === last) return next;
  const madeMs = timeOfId(next);
  return last !== undefined && timeOfId(last) === madeMs ? last : lastIdAt(kind, madeMs);
}

export const ulidOf = ({ id }: Pick<Credential, 'id'>) => id.slice(id.indexOf('_') + 1);

/**
 * Reads keys and identities in the order of their creation.
 * @param fromUlid the lowest ULID of their ids; empty for all
 * @param pageSize how many are read at once of each of the two kinds
 */
export async function* oldestFirst(
  store: Store,
  fromUlid: string,
  pageSize: number,
): AsyncGenerator<StoredCredential, void, undefined> {
  const items = credentials.at(store);
  const streams = kinds.map((kind) => {
    const range = { from: `${idPrefixes[kind]}_${fromUlid}`, to: idRangeOf(kind).last };
    return eachOf((after) => items.page({ ...range, order: 'oldest', after, limit: pageSize }));
  });
  const heads = await Promise.all(streams.map((stream) => nextOf(stream)));
  for (;;) {
    const oldest = heads.reduce(
      (oldestIndex, head, index) => (isBefore(head, heads[oldestIndex]) ? index : oldestIndex),
      0,
    );
    const [head, stream] = [heads[oldest], streams[oldest]];
    if (!head || !stream) return;
    yield head;
    heads[oldest] = await nextOf(stream);
  }
}

const isBefore = (one: Credential | undefined, other: Credential | undefined) =>
  one !== undefined && (other === undefined || ulidOf(one) < ulidOf(other));

async function nextOf<Item>(stream: AsyncGenerator<Item, void>): Promise<Item | undefined> {
  const { done, value } = await stream.next();
  return done ? undefined : value;
}

async function* eachOf(page: (after: string | undefined) => Promise<Page<StoredCredential>>) {
  for await (const items of pagesOf(page)) yield* items;
}

const noteEveryMs = hourMs;

/** @returns whether the last recorded use is old enough to record another */
export const isUseDue = ({ lastUsedAt }: Pick<Credential, 'lastUsedAt'>, nowMs: number) =>
  lastUsedAt === null || Date.parse(lastUsedAt) <= nowMs - noteEveryMs;

/** Records the use, unless another request already did. The use of a credential does not change it, so it adds no stamp. */
export async function noteUse(
  session: Session,
  tenant: Tenant,
  id: string,
  { nowMs, sourceAddress }: { nowMs: number; sourceAddress: string | undefined },
): Promise<void> {
  try {
    await sendUpdate(session, 'apiKeys', {
      Key: { tenant, id },
      UpdateExpression: `SET lastUsedAt = :now ${sourceAddress === undefined ? 'REMOVE lastUsedFrom' : ', lastUsedFrom = :from'}`,
      // These timestamps sort as text. NULL has another type.
      ConditionExpression:
        'attribute_exists(id) AND (lastUsedAt <= :due OR attribute_type(lastUsedAt, :null))',
      ExpressionAttributeValues: {
        ':now': timestamp(nowMs),
        ...(sourceAddress !== undefined && { ':from': sourceAddress }),
        ':due': timestamp(nowMs - noteEveryMs),
        ':null': 'NULL',
      },
    });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** @returns the names of the keys and workload identities among these, by id */
export async function getCredentialNames(
  store: Store,
  principals: readonly string[],
): Promise<Map<string, string>> {
  const ids = [...new Set(principals.map(credentialIn))].filter(isCredentialId);
  const items = ids.length > 0 ? await credentials.at(store).getMany(ids) : [];
  return new Map(items.map(({ id, name }) => [id, name]));
}
