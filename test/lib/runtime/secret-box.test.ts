import { randomBytes } from 'node:crypto';
import { DecryptCommand, EncryptCommand } from '@aws-sdk/client-kms';
import { expect, test } from 'vitest';
import { secretBoxOf } from '../../../lib/runtime/base-runtime.ts';
import { kmsBox } from '../../../lib/runtime/kms.ts';
import { machineBox, machineKey } from '../../../lib/runtime/secret-box.ts';

const key = randomBytes(32).toString('base64');
const box = machineBox(key, randomBytes);
const context = { tenant: 'org_1#live', webhook: 'whk_1' };

test('a secret is decrypted with the same key and context', async () => {
  const sealed = await box.encrypt('whsec_größe', context);
  expect(await box.decrypt(sealed, { webhook: 'whk_1', tenant: 'org_1#live' })).toBe('whsec_größe');
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('whsec_');
  expect(await box.encrypt('whsec_größe', context)).not.toBe(sealed);
});

test('it is not decrypted for another webhook or tenant, with another key, or changed', async () => {
  const sealed = await box.encrypt('whsec_a', context);
  await expect(box.decrypt(sealed, { ...context, webhook: 'whk_2' })).rejects.toThrow();
  await expect(box.decrypt(sealed, { ...context, tenant: 'org_2#live' })).rejects.toThrow();
  const other = machineBox(randomBytes(32).toString('base64'), randomBytes);
  await expect(other.decrypt(sealed, context)).rejects.toThrow();
  const changed = Buffer.from(sealed, 'base64');
  changed[14] = (changed[14] ?? 0) ^ 1;
  await expect(box.decrypt(changed.toString('base64'), context)).rejects.toThrow();
});

test('a process has the key of its environment, and none without it', async () => {
  const own = secretBoxOf({ SECRETS_KEY: machineKey(key) });
  expect(await box.decrypt(await own.encrypt('whsec_a', context), context)).toBe('whsec_a');
  await expect(secretBoxOf({}).encrypt('whsec_a', context)).rejects.toThrow('SECRETS_KEY is not set');
});

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
