/**
 * Ends a key or a workload identity, and what it has started: an endpoint counts the children, webhooks, sources, evaluators
 * and rollouts, and a worker disables the webhooks. The file is in this folder because the folder of the keys may not import
 * these.
 */

import { requireOtherCreator } from '../../api-keys/creators.ts';
import { getFamily } from '../../api-keys/family.ts';
import { mayEnd, refuseEnd } from '../../api-keys/grants.ts';
import {
  type Credential,
  endOf,
  revoke,
  revokeWithChildren,
  type StoredCredential,
} from '../../api-keys/store/credentials.ts';
import { type Caller, withinProjects } from '../../base/caller.ts';
import { idRangeOf } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { countEvaluatorsOf } from '../../evaluations/store/evaluators.ts';
import { countRolloutsOf } from '../../rollouts/store.ts';
import { countSourcesOf } from '../../sources/store/sources.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { isNamed } from '../rules/grants.ts';
import { maxWebhooks } from '../schema/webhook.ts';
import { disableWebhook, type StoredWebhook, webhooks } from './webhooks.ts';

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
    deployments: ['Query', 'BatchGetItem'],
  },
} as const;

/**
 * @param show returns what callers see of the credential
 * @returns the credential with the numbers of what it has started, or why the caller may not end it. 202 if a worker ends the
 *   children. A repeated request changes nothing
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
  const { scopes, projectIds, environments } = ender;
  const requestedAt = timestamp(nowMs);
  const state = { finishedAt: null, revoked: 0, skipped: 0, webhookIds: [] };
  const childrenRevocation = {
    requestedAt,
    scopes,
    projectIds,
    ...(environments && { environments }),
    ...state,
  };
  return {
    status: 202,
    changes: { revokedAt, childrenRevocation },
    counts,
    writes: [revokeWithChildren(store, credential, revokedAt, childrenRevocation), ...otherCreators],
  };
}

/** @returns the number of enabled webhooks that the caller may see and that name one of these keys */
export async function countWebhooksOf(
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
): Promise<number> {
  const { first: from, last: to } = idRangeOf('webhook');
  const filter = (webhook: StoredWebhook) =>
    !webhook.disabled && isNamed(webhook, keys) && withinProjects(caller, webhook.projectIds);
  const { items } = await webhooks.at(store).page({ from, to, limit: maxWebhooks, filter });
  return items.length;
}

export type Ending = {
  /** The scopes and projects of the ender decide which keys end. */
  ender: Pick<Caller, 'scopes' | 'projectIds'>;
  caller: Pick<Caller, 'projectIds'>;
  withChildren: boolean;
  isDry: boolean;
  nowMs: number;
};

/** `children`, `sources`, `evaluators` and `rollouts` are null unless the request is a dry run: only it reads them. */
async function countStarted(
  store: Store,
  id: string,
  { ender, caller, withChildren, isDry, nowMs }: Ending,
): Promise<Record<'children' | 'sources' | 'evaluators' | 'rollouts', number | null> & { webhooks: number }> {
  const family = isDry ? (await getFamily(id, { store })).filter((key) => mayEnd(ender, key)) : [];
  const keys = new Set([id, ...(withChildren ? family.map((key) => key.id) : [])]);
  const [webhooks, sources, evaluators, rollouts] = await Promise.all([
    countWebhooksOf(store, caller, keys),
    isDry ? countSourcesOf(store, caller, keys) : null,
    isDry ? countEvaluatorsOf(store, caller, keys) : null,
    isDry ? countRolloutsOf(store, caller, keys) : null,
  ]);
  return {
    webhooks,
    sources,
    evaluators,
    rollouts,
    children: isDry ? family.filter((key) => endOf(key, nowMs) === 'active').length : null,
  };
}

/**
 * Disables the webhooks that name one of these keys, which are revoked. A webhook that is disabled already gets the new reason,
 * so that a person who enables it knows the reason. A repeated call changes nothing.
 * @returns all webhooks that name one of the keys and are disabled for this reason
 */
export async function disableWebhooksOf(
  keys: ReadonlySet<string>,
  input: Pick<WorkerInput, 'store' | 'commit' | 'sleep' | 'nowMs'>,
): Promise<StoredWebhook[]> {
  const { first: from, last: to } = idRangeOf('webhook');
  const tenantWebhooks = webhooks.at(input.store);
  const disabled: StoredWebhook[] = [];
  for await (const items of pagesOf((after) =>
    tenantWebhooks.page({ from, to, order: 'oldest', after, limit: maxWebhooks }),
  )) {
    for (const webhook of items) {
      const result = isNamed(webhook, keys) ? await disable(webhook.id, keys, input) : undefined;
      if (result) disabled.push(result);
    }
  }
  return disabled;
}

/** @returns the webhook; undefined if it is gone, or if other callers have set all its parts in the meantime */
function disable(
  id: string,
  keys: ReadonlySet<string>,
  input: Pick<WorkerInput, 'store' | 'commit' | 'sleep' | 'nowMs'>,
): Promise<StoredWebhook | undefined> {
  const { store, nowMs } = input;
  const attempt = async () => {
    const webhook = await webhooks.at(store).get(id);
    if (!webhook || !isNamed(webhook, keys)) return undefined;
    if (webhook.disabled && webhook.disabledReason === 'key_revoked') return webhook;
    const write = disableWebhook(store, webhook, 'key_revoked', timestamp(nowMs()));
    return (await commitPatiently(input, [write])) ? again : webhook;
  };
  return retry(attempt, { failure: () => new Error(`${id} is being changed`) });
}
