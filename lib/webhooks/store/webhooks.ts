/**
 * Webhooks are in the partition of their tenant. Their secrets are encrypted, in a partition of their own, so no stream record
 * of a webhook has them. A counter limits their number.
 */

import { type Caller, credentialIn, withinProjects } from '../../base/caller.ts';
import { idRangeOf } from '../../base/ids.ts';
import { dayMs, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection, type Unstored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { Page, Store } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import type { Change } from '../../workers/change.ts';
import { isNamed, type Setters } from '../rules/grants.ts';
import { showHealth, sinceEnabled } from '../rules/health.ts';
import { maxWebhooks, type Webhook } from '../schema/webhook.ts';
import { type StoredHealth, webhookHealth } from './health.ts';

export type StoredWebhook = Stored<
  Omit<Webhook, 'previousSecretExpiresAt' | 'recovery' | 'scopes' | 'health'> & {
    scopes: readonly string[];
    recovery?: NonNullable<Webhook['recovery']>;
    /** This time may have passed. */
    previousSecretExpiresAt?: string;
    /** The time at which the webhook was last enabled. Earlier failures do not count. */
    enabledAt: string;
  }
>;

/** The tenant and the webhook are the context of the encryption. */
export type StoredSecrets = Stored<{
  id: string;
  current: string;
  previous?: { sealed: string; expiresAt: string };
}>;

/** A restore does not bring a webhook back that has such an item. */
type StoredDeletion = Stored<{ id: string; ttl: number }>;

type StoredCount = Stored<{ id: 'webhooks'; count: number }>;

export const webhooks = tenantCollection<StoredWebhook>('webhooks');
export const webhookSecrets = tenantCollection<StoredSecrets>('webhooks', () => ['secrets']);
const webhookCount = tenantCollection<StoredCount>('webhooks', () => ['count']);
const countId = 'webhooks';
const deletedWebhooks = tenantCollection<StoredDeletion>('webhooks', () => ['deleted']);
/** Deletions are kept for longer than the 35 days to which a table can be restored. */
const deletionKeptMs = 90 * dayMs;

type Path = { webhook_id: string };

export const seenWebhook = (webhook: StoredWebhook | undefined, { caller }: { caller: Caller }) =>
  webhook && withinProjects(caller, webhook.projectIds) ? webhook : undefined;

/** The webhook in the path, if the caller may see it. */
export const webhookInPath = load({
  from: [webhooks],
  read: (get, { webhook_id }: Path) => get(webhooks, webhook_id),
  find: seenWebhook,
});

export const webhookAndHealthInPath = load({
  from: [webhooks, webhookHealth],
  read: (get, { webhook_id }: Path) =>
    Promise.all([get(webhooks, webhook_id), get(webhookHealth, webhook_id)]),
  find([storedWebhook, health], context: { caller: Caller }) {
    const webhook = seenWebhook(storedWebhook, context);
    return webhook && { webhook, health };
  },
});

export const webhookAndSecretsInPath = load({
  from: [webhooks, webhookHealth],
  read: (get, { webhook_id }: Path) =>
    Promise.all([get(webhooks, webhook_id), get(webhookHealth, webhook_id), get(webhookSecrets, webhook_id)]),
  find([storedWebhook, health, secrets], context: { caller: Caller }) {
    const webhook = seenWebhook(storedWebhook, context);
    return webhook && secrets && { webhook, health, secrets };
  },
});

/** @returns the webhook for a response, whose schema drops the other attributes */
export const showWebhook = <Item extends Unstored<StoredWebhook>>(
  webhook: Item,
  health: StoredHealth | undefined,
  nowMs: number,
) => {
  const { previousSecretExpiresAt: end, recovery = null, scopes, enabledAt } = webhook;
  return {
    ...webhook,
    health: showHealth(sinceEnabled(health, enabledAt), webhook.url),
    recovery,
    scopes: [...scopes],
    previousSecretExpiresAt: end !== undefined && Date.parse(end) > nowMs ? end : null,
  };
};

/** The context with which the secrets are encrypted. */
export const secretContext = ({ tenant }: Pick<Caller, 'tenant'>, id: string) => ({ tenant, webhook: id });

/** @param sealed the encrypted secret */
export const createWebhook = (
  store: Store,
  webhook: Unstored<StoredWebhook>,
  sealed: string,
): Write<'too_many_webhooks'>[] => [
  webhooks.at(store).put(webhook),
  webhookSecrets.at(store).put({ id: webhook.id, current: sealed }),
  webhookCount.at(store).update(
    countId,
    {},
    {
      add: { count: 1 },
      condition: { kind: 'absent_or_at_most', attribute: 'count', value: maxWebhooks - 1 },
      onConditionFailed: 'too_many_webhooks',
    },
  ),
];

export type Recovery = NonNullable<Webhook['recovery']>;

/** Requests a recovery, or notes how far it is, if the webhook is unchanged since it was read. */
export const noteRecovery = (store: Store, webhook: StoredWebhook, recovery: Recovery): Write<never> =>
  webhooks.at(store).update(webhook.id, { recovery }, { condition: unchanged(webhook) });

/** @returns whether a change requests a recovery, or removes the webhook */
export function wantsRecoveryOrRemoval({ kind, partition, before, after }: Change): boolean {
  if (partition.length > 0) return false;
  const recoveryOf = (item: Item | undefined) => item && webhooks.read(item).recovery;
  const request = recoveryOf(after);
  if (kind === 'REMOVE') return true;
  return request?.finishedAt === null && recoveryOf(before)?.requestedAt !== request.requestedAt;
}

type WebhookChange = Partial<
  Setters &
    Pick<
      Webhook,
      'url' | 'eventTypes' | 'projectIds' | 'include' | 'description' | 'disabled' | 'disabledReason'
    >
> & { updatedAt: string; enabledAt?: string; scopes?: readonly string[] };

export const changeWebhook = (store: Store, webhook: StoredWebhook, change: WebhookChange): Write<never> =>
  webhooks.at(store).update(webhook.id, change, { condition: unchanged(webhook) });

type SecretRotation = Pick<Webhook, 'secretCreatedAt' | 'secretSetBy' | 'updatedAt'> & {
  /** The time is undefined if the previous secret ends at once. */
  previousSecretExpiresAt: string | undefined;
};

/** @param sealed the new secret, encrypted */
export function rotateSecret(
  store: Store,
  { webhook, secrets }: { webhook: StoredWebhook; secrets: StoredSecrets },
  { previousSecretExpiresAt, ...changes }: SecretRotation,
  sealed: string,
): Write<never>[] {
  const expiresAt = previousSecretExpiresAt;
  return [
    webhooks.at(store).update(
      webhook.id,
      { ...changes, ...(expiresAt !== undefined && { previousSecretExpiresAt: expiresAt }) },
      {
        condition: unchanged(webhook),
        ...(expiresAt === undefined && { drop: ['previousSecretExpiresAt'] }),
      },
    ),
    webhookSecrets.at(store).put(
      {
        id: webhook.id,
        current: sealed,
        ...(expiresAt !== undefined && { previous: { sealed: secrets.current, expiresAt } }),
      },
      { condition: unchanged(secrets) },
    ),
  ];
}

export const deleteWebhook = (store: Store, webhook: StoredWebhook, nowMs: number): Write<never>[] => [
  webhooks.at(store).remove(webhook.id, { condition: unchanged(webhook) }),
  webhookSecrets.at(store).remove(webhook.id, { condition: { kind: 'any' } }),
  webhookCount.at(store).update(countId, {}, { add: { count: -1 }, condition: { kind: 'present' } }),
  deletedWebhooks
    .at(store)
    .put({ id: webhook.id, ttl: ttlSeconds(nowMs + deletionKeptMs) }, { condition: { kind: 'any' } }),
];

export type WebhookList = {
  createdBy: string | undefined;
  failing: boolean | undefined;
  after: string | undefined;
  limit: number;
};

type WebhookAndHealth = { id: string; webhook: StoredWebhook; health: StoredHealth | undefined };

function withHealth(
  webhooks: readonly StoredWebhook[],
  healths: readonly StoredHealth[],
): WebhookAndHealth[] {
  const healthOf = new Map(healths.map((health) => [health.id, health]));
  return webhooks.map((webhook) => ({ id: webhook.id, webhook, health: healthOf.get(webhook.id) }));
}

/** @returns the existing webhooks with their health, in any order */
export async function getWebhooks(store: Store, ids: readonly string[]): Promise<WebhookAndHealth[]> {
  const [items, health] = await Promise.all([
    webhooks.at(store).getMany(ids),
    webhookHealth.at(store).getMany(ids),
  ]);
  return withHealth(items, health);
}

/** @returns whether the last attempt has failed, or the webhook was disabled because of its receiver */
function isFailing({ webhook, health }: WebhookAndHealth): boolean {
  const { disabledReason, enabledAt, url } = webhook;
  if (disabledReason === 'failing' || disabledReason === 'gone') return true;
  return showHealth(sinceEnabled(health, enabledAt), url).status === 'failing';
}

/** @returns the webhooks that the caller may see, newest first */
export async function listWebhooks(
  store: Store,
  caller: Caller,
  { createdBy, failing, after, limit }: WebhookList,
): Promise<Page<WebhookAndHealth>> {
  const { first: from, last: to } = idRangeOf('webhook');
  const ofCreator = (webhook: StoredWebhook) =>
    createdBy === undefined ||
    webhook.createdBy === createdBy ||
    credentialIn(webhook.createdBy) === createdBy ||
    isNamed(webhook, new Set([createdBy]));
  const filter = (webhook: StoredWebhook) => withinProjects(caller, webhook.projectIds) && ofCreator(webhook);
  const [page, health] = await Promise.all([
    webhooks.at(store).page({ from, to, after, limit, filter }),
    // The health is read in parallel, because each webhook has at most one item.
    webhookHealth.at(store).page({ from, to, limit: 2 * maxWebhooks }),
  ]);
  const all = withHealth(page.items, health.items);
  return {
    items: all.filter((webhook) => failing === undefined || isFailing(webhook) === failing),
    next: page.next,
  };
}

export const disableWebhook = (
  store: Store,
  webhook: StoredWebhook,
  disabledReason: 'gone' | 'failing' | 'key_revoked',
  updatedAt: string,
): Write<never> => changeWebhook(store, webhook, { disabled: true, disabledReason, updatedAt });

export async function enabledWebhooks(store: Store): Promise<StoredWebhook[]> {
  const { first: from, last: to } = idRangeOf('webhook');
  const { items } = await webhooks.at(store).page({ from, to, limit: maxWebhooks });
  return items.filter(({ disabled }) => !disabled);
}
