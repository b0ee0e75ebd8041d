/**
 * Secrets that the service needs again, such as those of webhooks, are encrypted. In functions, KMS encrypts them
 * (runtime/kms.ts), so that the tables alone reveal nothing. On the machine of a developer, a key in a file does.
 */

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { canonicalJson } from '../base/json.ts';

/** The owner of a secret. A secret is decrypted only with the same context. */
type SecretContext = Readonly<Record<string, string>>;

export type SecretBox = {
  /** @returns base64 */
  encrypt(secret: string, context: SecretContext): Promise<string>;
  /** @throws Error if it was encrypted with another key or context */
  decrypt(sealed: string, context: SecretContext): Promise<string>;
};

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** @param key 256 bits in base64 */
export function machineBox(key: string, randomBytes: (size: number) => Uint8Array): SecretBox {
  const secretKey = Buffer.from(key, 'base64');
  const contextBytes = (context: SecretContext) => Buffer.from(canonicalJson(context));
  return {
    async encrypt(secret, context) {
      const iv = randomBytes(ivLength);
      const gcm = createCipheriv(cipher, secretKey, iv, { authTagLength: tagLength });
      gcm.setAAD(contextBytes(context));
      return Buffer.concat([iv, gcm.update(secret, 'utf8'), gcm.final(), gcm.getAuthTag()]).toString(
        'base64',
      );
    },
    async decrypt(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64');
      const gcm = createDecipheriv(cipher, secretKey, bytes.subarray(0, ivLength), {
        authTagLength: tagLength,
      });
      gcm.setAAD(contextBytes(context));
      gcm.setAuthTag(bytes.subarray(-tagLength));
      return gcm.update(bytes.subarray(ivLength, -tagLength), undefined, 'utf8') + gcm.final('utf8');
    },
  };
}

/** The environment variable with the ARN of a key in KMS, or in development with the key of the machine. */
export const secretsKeyVariable = 'SECRETS_KEY';
const machinePrefix = 'machine:';

/** @param key 256 bits in base64 */
export const machineKey = (key: string): string => machinePrefix + key;

/** @returns the key of a machine in base64; undefined if the key is in KMS, or if there is no key */
export const readMachineKey = (variable: string | undefined): string | undefined =>
  variable?.startsWith(machinePrefix) ? variable.slice(machinePrefix.length) : undefined;
