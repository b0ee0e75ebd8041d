/** Signatures of Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks, version 1, symmetric). */

import { createHmac } from 'node:crypto';

const prefix = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const secretBytes = 32;

/** @returns `whsec_` and 256 bits in base64, from the system's secure source */
export const makeSecret = (randomBytes: (size: number) => Uint8Array): string =>
  prefix + Buffer.from(randomBytes(secretBytes)).toString('base64');

export type SignedMessage = { id: string; timestampSeconds: number; body: string };

const sign = (secret: string, { id, timestampSeconds, body }: SignedMessage): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${timestampSeconds}.${body}`)
    .digest('base64');

/** @param secrets the current secret, and during an overlap the previous secret */
export const signatureHeaders = (
  message: SignedMessage,
  secrets: readonly string[],
): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestampSeconds),
  'webhook-signature': secrets.map((secret) => `v1,${sign(secret, message)}`).join(' '),
});
