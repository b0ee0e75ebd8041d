/** The end of a key or of a workload identity ends what it has started, too. */

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

type EndRefusal = { error: 'insufficient_scope' | 'last_key'; message: string | undefined };

type Changes = Partial<Pick<Credential, 'revokedAt' | 'childrenRevocation'>>;

/** What the endpoints share that end a key or an identity. */
export const endingCredential = {
  auth: 'api-keys:write',
  errors: ['insufficient_scope', 'last_key'],
  access: {
    apiKeys: ['UpdateItem', 'Query', 'ConditionCheckItem'],
    webhooks: ['Query'],
    knowledge: ['Query', 'BatchGetItem'],
    conversations: ['Query', 'BatchGetItem'],
  },
} as const;

/**
 * @param show returns what callers see of the credential
 * @returns the credential with what it has started, or why the caller may not end it. 202 if a worker ends the children. To end an
 *   ended credential changes nothing
 */
export async function endCredential<Kind extends StoredCredential, Shown extends object>(
  store: Store,
  credential: Kind,
  { query, caller, nowMs }: Request,
  show: (credential: Kind, nowMs: number) => Shown,
) {
  const end = await decideEnd(store, credential, { query, caller, nowMs });
  if (end.error) return end;
  const { status, changes, counts, writes } = end;
  return { status, data: { ...show({ ...credential, ...changes }, nowMs), ...counts }, writes };
}

type End = {
  error?: never;
  status: 200 | 202;
  changes: Changes;
  counts: Awaited<ReturnType<typeof countStarted>>;
  writes: Write<never>[];
};

async function decideEnd(
  store: Store,
  credential: StoredCredential,
  { query, caller, nowMs }: Request,
): Promise<End | EndRefusal> {
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
  const [otherCreators, counts] = await Promise.all([
    query.force === 'true' ? [] : requireOtherCreator(store, credential, withChildren, nowMs),
    count(),
  ]);
  if (!otherCreators) return { error: 'last_key', message: undefined };
  if (isDry) return { status: 200, ...unchanged, counts };

  const revokedAt = credential.revokedAt ?? timestamp(nowMs);
  if (!withChildren) {
    const writes = [revoke(store, credential, revokedAt), ...otherCreators];
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
    writes: [revokeWithChildren(store, credential, revokedAt, childrenRevocation), ...otherCreators],
  };
}
