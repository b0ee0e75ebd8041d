import { DecryptCommand, EncryptCommand } from '@aws-sdk/client-kms';
import { expect, test } from 'vitest';
import { kmsBox } from '../../../lib/runtime/kms.ts';

const KeyId = 'arn:aws:kms:eu-central-1:1:key/1';
const EncryptionContext = { tenant: 'org_1#live', webhook: 'whk_1' };

/** Answers as KMS would, and keeps what was sent. */
function fake() {
  const sent: unknown[] = [];
  const send = async (command: unknown) => {
    sent.push((command as EncryptCommand).input);
    if (command instanceof EncryptCommand) return { CiphertextBlob: new Uint8Array([1, 2, 3]) };
    if (command instanceof DecryptCommand) return { Plaintext: Buffer.from('whsec_größe') };
    throw new Error('another command');
  };
  return { sent, box: kmsBox({ send } as Parameters<typeof kmsBox>[0], KeyId) };
}

test('KMS encrypts and decrypts with the key and the context', async () => {
  const { sent, box } = fake();
  const sealed = await box.encrypt('whsec_größe', EncryptionContext);
  expect(sealed).toBe('AQID');
  expect(await box.decrypt(sealed, EncryptionContext)).toBe('whsec_größe');
  expect(sent).toEqual([
    { KeyId, Plaintext: Buffer.from('whsec_größe'), EncryptionContext },
    { KeyId, CiphertextBlob: Buffer.from([1, 2, 3]), EncryptionContext },
  ]);
});
