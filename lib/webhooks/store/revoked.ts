/** The webhooks of credentials are counted, and those of revoked keys are disabled. */

import { getFamily } from '../../api-keys/family.ts';
import { mayEnd } from '../../api-keys/grants.ts';
import { endOf } from '../../api-keys/store/credentials.ts';
import { type Caller, withinProjects } from '../../base/caller.ts';
import { idRangeOf } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import type { Store } from '../../dynamodb/store.ts';
import { countEvaluatorsOf } from '../../evaluations/store/evaluators.ts';
import { countSourcesOf } from '../../sources/store/sources.ts';
import { commitPatiently } from '../../workers/commit-each.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { isNamed } from '../rules/setters.ts';
import { maxWebhooks } from '../schema/webhook.ts';
import { disableWebhook, type StoredWebhook, webhooks } from './webhooks.ts';

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

/** Counts the webhooks that end with a key. Only a dry run also reads the keys that the key created, the sources and the evaluators. */
export async function countStarted(
  store: Store,
  id: string,
  { ender, caller, withChildren, isDry, nowMs }: Ending,
): Promise<{ webhooks: number; children: number | null; sources: number | null; evaluators: number | null }> {
  const family = isDry ? (await getFamily(id, { store })).filter((key) => mayEnd(ender, key)) : [];
  const keys = new Set([id, ...(withChildren ? family.map((key) => key.id) : [])]);
  const [webhooks, sources, evaluators] = await Promise.all([
    countWebhooksOf(store, caller, keys),
    isDry ? countSourcesOf(store, caller, keys) : null,
    isDry ? countEvaluatorsOf(store, caller, keys) : null,
  ]);
  return {
    webhooks,
    sources,
    evaluators,
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
