/** Signatures of Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks, version 1, symmetric). */

import { createHmac } from 'node:crypto';

const prefix = 'whsec_';
/** Standard Webhooks wants 24 to 64. */
const secretBytes = 32;

/** @returns `whsec_` and base64: 256 bits from the system's secure source */
export const makeSecret = (randomBytes: (size: number) => Uint8Array): string =>
  prefix + Buffer.from(randomBytes(secretBytes)).toString('base64');

export type Signed = { id: string; timestampSeconds: number; body: string };

const sign = (secret: string, { id, timestampSeconds, body }: Signed): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${timestampSeconds}.${body}`)
    .digest('base64');

/** @param secrets the current one, and during an overlap the previous one. @returns the headers of a request */
export const signatureHeaders = (signed: Signed, secrets: readonly string[]): Record<string, string> => ({
  'webhook-id': signed.id,
  'webhook-timestamp': String(signed.timestampSeconds),
  'webhook-signature': secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' '),
});
