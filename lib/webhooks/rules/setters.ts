/** The URL, the content and the secret of a webhook each have a setter. Pure. */

import type { Webhook } from '../schema/webhook.ts';

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
 * A caller that enables a webhook that was disabled with a key, or after a restore, becomes the setter of its URL and its content. The setter of the
 * secret stays, because it may know the secret, until the secret is rotated.
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
