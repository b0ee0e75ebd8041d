/** The end of a key or of a workload identity, with everything that it has started. */

import { requireOtherCreator } from '../../api-keys/creators.ts';
import { refuseEnd } from '../../api-keys/grants.ts';
import {
  type Credential,
  revoke,
  revokeWithChildren,
  type StoredCredential,
} from '../../api-keys/store/credentials.ts';
import type { Caller } from '../../base/caller.ts';
import { timestamp } from '../../base/time.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { countStarted } from './revoked.ts';

type Flag = 'true' | 'false' | undefined;

type Request = {
  query: { children?: Flag; force?: Flag; dryRun?: Flag };
  caller: Caller;
  nowMs: number;
};

type Refused = { error: 'insufficient_scope' | 'last_key'; message: string | undefined };

type End = {
  error?: never;
  /** 202 if a worker ends the children. */
  status: 200 | 202;
  /** The changed fields. */
  changes: Partial<Pick<Credential, 'revokedAt' | 'childrenRevocation'>>;
  /** What the credential has started. */
  counts: Awaited<ReturnType<typeof countStarted>>;
  writes: Write<never>[];
};

/** @returns the end, or why the caller may not request it. To end an ended credential changes nothing */
export async function endCredential(
  store: Store,
  credential: StoredCredential,
  { query, caller, nowMs }: Request,
): Promise<End | Refused> {
  const withChildren = query.children === 'true';
  const isDry = query.dryRun === 'true';
  // A credential that may end others may also end them when it ends itself.
  const ender = credential.id === caller.id ? credential : caller;
  const count = () => countStarted(store, credential.id, { ender, caller, withChildren, isDry, nowMs });
  const unchanged = { changes: {}, writes: [] };
  if (credential.revokedAt !== null && !withChildren)
    return { status: 200, ...unchanged, counts: await count() };
  const refusal = refuseEnd(caller, credential);
  if (refusal) return { error: 'insufficient_scope', message: refusal };
  const [others, counts] = await Promise.all([
    query.force === 'true' ? [] : requireOtherCreator(store, credential, withChildren, nowMs),
    count(),
  ]);
  if (!others) return { error: 'last_key', message: undefined };
  if (isDry) return { status: 200, ...unchanged, counts };

  const revokedAt = credential.revokedAt ?? timestamp(nowMs);
  if (!withChildren) {
    const writes = [revoke(store, credential, revokedAt), ...others];
    return { status: 200, changes: { revokedAt }, counts, writes };
  }
  if (credential.childrenRevocation?.finishedAt === null) return { status: 202, ...unchanged, counts };
  const { scopes, projectIds } = ender;
  const requestedAt = timestamp(nowMs);
  const state = { finishedAt: null, revoked: 0, skipped: 0, webhookIds: [] };
  const childrenRevocation = { requestedAt, scopes, projectIds, ...state };
  return {
    status: 202,
    changes: { revokedAt, childrenRevocation },
    counts,
    writes: [revokeWithChildren(store, credential, revokedAt, childrenRevocation), ...others],
  };
}
