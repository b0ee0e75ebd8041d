/**
 * Sealing encrypts a stored response with a secret, so that only its recipient can read it again: AES-256-GCM under a
 * key derived (HKDF, RFC 5869) from the raw credential and the raw Idempotency-Key. Neither is stored.
 */

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/** All values are in base64url. */
export type Sealed = { salt: string; iv: string; box: string };

type SealingSecrets = { credential: string; idempotencyKey: string };

const cipher = 'aes-256-gcm';
const tagLength = 16;

const keyFrom = ({ credential, idempotencyKey }: SealingSecrets, salt: Uint8Array) =>
  Buffer.from(hkdfSync('sha256', credential, salt, `idempotent response\0${idempotencyKey}`, 32));

/** @param context identifies the owner of the box, which opens only with the same context */
export function seal(
  text: string,
  secrets: SealingSecrets,
  context: string,
  randomBytes: (size: number) => Uint8Array,
): Sealed {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const gcm = createCipheriv(cipher, keyFrom(secrets, salt), iv, { authTagLength: tagLength });
  gcm.setAAD(Buffer.from(context));
  const box = Buffer.concat([gcm.update(text, 'utf8'), gcm.final(), gcm.getAuthTag()]);
  return { salt: encode(salt), iv: encode(iv), box: encode(box) };
}

/** @returns the text, or undefined if the secrets are not the same */
export function unseal(sealed: Sealed, secrets: SealingSecrets, context: string): string | undefined {
  const box = decode(sealed.box);
  const gcm = createDecipheriv(cipher, keyFrom(secrets, decode(sealed.salt)), decode(sealed.iv), {
    authTagLength: tagLength,
  });
  gcm.setAAD(Buffer.from(context));
  gcm.setAuthTag(box.subarray(-tagLength));
  try {
    return gcm.update(box.subarray(0, -tagLength), undefined, 'utf8') + gcm.final('utf8');
  } catch {
    // The tag does not match. GCM gives no further reason.
    return undefined;
  }
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const decode = (text: string) => Buffer.from(text, 'base64url');
