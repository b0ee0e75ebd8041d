/** The rights of callers to change a webhook, and of a webhook, through its setters, to send events. Pure. */

import { type Caller, withinProjects } from '../../base/caller.ts';
import { allScopes, holds, missingScopes, namedScopes, type Scope } from '../../base/scopes.ts';
import { scopesOfTypes } from '../../events/scopes.ts';
import type { Delivery } from '../schema/delivery.ts';
import type { Webhook } from '../schema/webhook.ts';

type Holder = Pick<Caller, 'projectIds' | 'scopes'>;
type WebhookContent = Pick<Webhook, 'eventTypes' | 'projectIds' | 'include'>;

const messageScopes = ({ include }: Pick<WebhookContent, 'include'>): Scope[] =>
  include.includes('messages') ? ['conversations:read'] : [];

/**
 * A webhook shows its receiver the data of events of its projects, and messages. A caller that sets the receiver or the choice
 * of this data must be allowed to read it.
 * @param webhook the webhook after the change
 * @returns why the request is refused, or undefined if it is allowed
 */
export const refuseWebhook = (caller: Holder, webhook: WebhookContent): string | undefined => {
  const needed = [...scopesOfTypes(webhook.eventTypes), ...messageScopes(webhook)];
  return refuse(caller, webhook, needed);
};

/**
 * Any change of a webhook with messages needs the scope that reads messages.
 * @returns why the request is refused, or undefined if it is allowed
 */
export const refuseAnyChange = (caller: Holder, webhook: WebhookContent): string | undefined =>
  refuse(caller, webhook, messageScopes(webhook));

function refuse(
  caller: Holder,
  { projectIds }: WebhookContent,
  needed: readonly Scope[],
): string | undefined {
  if (!withinProjects(caller, projectIds))
    return 'You cannot receive events of projects that your credential is not bound to.';
  const missing = missingScopes(caller.scopes, [...new Set(needed)]);
  return missing.length === 0
    ? undefined
    : `This webhook requires ${namedScopes(missing)}, because its receiver gets the data of the events.`;
}

/**
 * A receiver may answer with the event. So its responses are only for callers that may read the event, and the messages if the
 * webhook has them.
 * @param delivery with the scopes that its event needs
 * @returns the delivery for a response
 */
export const showDelivery = <Shown extends Pick<Delivery, 'attempts'> & { scopes: readonly Scope[] }>(
  caller: Holder,
  webhook: WebhookContent,
  delivery: Shown,
): Shown => {
  const needed = [...delivery.scopes, ...messageScopes(webhook)];
  if (refuse(caller, webhook, needed) === undefined) return delivery;
  return { ...delivery, attempts: delivery.attempts.map((attempt) => ({ ...attempt, body: null })) };
};

/** @returns the scopes of the setter that a webhook stores, which are those that read something. No event needs that of a runtime */
export const readScopes = ({ scopes }: Pick<Caller, 'scopes'>): Scope[] =>
  allScopes.filter((scope) => scope.endsWith(':read') && scope !== 'runtime:read' && holds(scopes, scope));

/**
 * @param setterScopes the scopes that the webhook has stored of its setter
 * @returns whether the setter may read data that needs these scopes
 */
export const covers = (setterScopes: readonly string[], needed: readonly Scope[]): boolean =>
  missingScopes(setterScopes, needed).length === 0;

/** The URL, the content and the secret of a webhook each have a setter. */
export type Setters = Pick<Webhook, 'urlSetBy' | 'contentSetBy' | 'secretSetBy'>;

/** @returns the setters of a webhook that this credential creates */
export const settersOfNewWebhook = (caller: string): Setters => ({
  urlSetBy: caller,
  contentSetBy: caller,
  secretSetBy: caller,
});

/** @returns whether one of these credentials has set its URL, its content or its secret */
export const isNamed = (
  { urlSetBy, contentSetBy, secretSetBy }: Setters,
  credentials: ReadonlySet<string>,
): boolean => [urlSetBy, contentSetBy, secretSetBy].some((setter) => credentials.has(setter));

type Change = { readonly [Name in 'url' | 'eventTypes' | 'projectIds' | 'include' | 'disabled']?: unknown };

const content = ['eventTypes', 'projectIds', 'include'] as const;

/**
 * A caller that enables a webhook that was disabled with a key, or after a restore, becomes the setter of its URL and its
 * content. The setter of the secret stays, because it may know the secret, until the secret is rotated.
 * @param change the fields that the caller sets
 * @returns the setters that change with it
 */
export function settersAfter(
  { disabledReason }: Pick<Webhook, 'disabledReason'>,
  change: Change,
  caller: string,
): Partial<Setters> {
  const isTakenOver = disabledReason === 'key_revoked' || disabledReason === 'restored';
  const takesOver = isTakenOver && change.disabled === false;
  return {
    ...((takesOver || change.url !== undefined) && { urlSetBy: caller }),
    ...((takesOver || content.some((name) => change[name] !== undefined)) && { contentSetBy: caller }),
  };
}
