/** Secrets are encrypted with a key in KMS. This file is separate, because few functions need its client. */

import { DecryptCommand, EncryptCommand, KMSClient, type KMSClientConfig } from '@aws-sdk/client-kms';
import type { SecretBox } from './secret-box.ts';

type Client = Pick<KMSClient, 'send'>;

/** An attempt that gets no response must end before the function does. By default, there is no limit. */
const requestHandler = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true };

export const openKms = (config: KMSClientConfig): Client => new KMSClient({ requestHandler, ...config });

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
