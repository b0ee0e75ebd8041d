/** Texts about the states of webhooks and their deliveries. */

import type { Delivery, DeliveryAttempt, Webhook } from '../../../../clients/typescript/src/index.ts';

/** @returns the state in a word, and its tone */
export function stateOf({ disabled, disabledReason, health }: Webhook): {
  word: string;
  tone: 'good' | 'bad' | 'busy' | 'quiet';
} {
  if (disabled) return { word: 'disabled', tone: disabledReason === 'requested' ? 'quiet' : 'bad' };
  if (health.status === 'failing') return { word: 'failing', tone: 'bad' };
  if (health.status === 'slow') return { word: 'slow', tone: 'busy' };
  return health.status === 'healthy'
    ? { word: 'healthy', tone: 'good' }
    : { word: 'not tried', tone: 'quiet' };
}

const disabledTexts: Readonly<Record<string, string>> = {
  requested: 'Somebody has disabled it.',
  gone: 'Its receiver has answered 410: it does not want events any more.',
  failing:
    'Every attempt of five days has failed. Repair the receiver, enable the webhook, then recover what it has missed.',
  key_revoked:
    'A key that had set it was revoked, with everything below it. Check the URL, rotate the secret, then enable it.',
  restored: 'It has come back from a backup. Check the URL, then enable it.',
};

/** @returns why nothing is sent; undefined if the webhook is enabled */
export const whyDisabled = ({ disabled, disabledReason }: Webhook): string | undefined =>
  disabled ? (disabledTexts[disabledReason ?? ''] ?? `Reason: ${disabledReason}`) : undefined;

const errorTexts: Readonly<Record<string, string>> = {
  name_not_found: 'The name of the host does not exist.',
  address_not_allowed: 'The host has an address that is not public, so nothing was sent.',
  connection_failed: 'The receiver accepted no connection.',
  tls_failed: 'The certificate is not valid for the host.',
  timeout: 'The receiver did not answer within 15 seconds.',
  redirect: 'The receiver answered with a redirect. Redirects are not followed: change the URL.',
  invalid_response: 'The answer was not valid HTTP, or larger than 1 MB.',
  interrupted: 'The attempt is under way, or its end is unknown.',
};

/** @returns why an attempt led to no usable response */
export const whyNoResponse = (error: string): string => errorTexts[error] ?? error;

export const isSuccess = ({ status, error }: DeliveryAttempt): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/**
 * @param deliveries the deliveries of one webhook, in any order
 * @returns why the newest attempt has failed; undefined if it has not, or if there is no attempt
 */
export function lastFailure(deliveries: readonly Pick<Delivery, 'attempts'>[]): string | undefined {
  const endedAttempts = deliveries
    .flatMap(({ attempts }) => attempts)
    .filter(({ durationMs }) => durationMs !== null);
  const newest = endedAttempts.toSorted((a, b) => b.at.localeCompare(a.at))[0];
  if (!newest || isSuccess(newest)) return undefined;
  return newest.error ? whyNoResponse(newest.error) : `The receiver answered ${newest.status}.`;
}
