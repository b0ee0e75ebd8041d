/** Encrypts with a key in KMS. A file of its own: few functions need its client. */

import { DecryptCommand, EncryptCommand, KMSClient, type KMSClientConfig } from '@aws-sdk/client-kms';
import type { SecretBox } from './secret-box.ts';

/** The part of the client that is used, so that tests can replace it. */
type Client = Pick<KMSClient, 'send'>;

/** The default is no limit. An attempt of a call that gets no response must end before the function does. Milliseconds. */
const requestHandler = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true };

export const openKms = (config: KMSClientConfig): Client => new KMSClient({ requestHandler, ...config });

/** @param KeyId the ARN of the key */
export function kmsBox(client: Client, KeyId: string): SecretBox {
  return {
    async encrypt(secret, EncryptionContext) {
      const Plaintext = Buffer.from(secret);
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({ KeyId, Plaintext, EncryptionContext: { ...EncryptionContext } }),
      );
      if (!CiphertextBlob) throw new Error('KMS returned no ciphertext');
      return Buffer.from(CiphertextBlob).toString('base64');
    },
    async decrypt(sealed, EncryptionContext) {
      const CiphertextBlob = Buffer.from(sealed, 'base64');
      const { Plaintext } = await client.send(
        new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext: { ...EncryptionContext } }),
      );
      if (!Plaintext) throw new Error('KMS returned no plaintext');
      return Buffer.from(Plaintext).toString('utf8');
    },
  };
}
