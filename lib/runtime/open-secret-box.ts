import { randomBytes } from 'node:crypto';
import { functionClientConfig, type Variables } from './function-client.ts';
import { machineBox, readMachineKey, type SecretBox, secretsKeyVariable } from './secret-box.ts';

/** @returns a box that opens the client of KMS with the first use, and throws if the environment names no key */
export function secretBoxOf(env: Variables): SecretBox {
  const machineKey = readMachineKey(env[secretsKeyVariable]);
  if (machineKey !== undefined) return machineBox(machineKey, randomBytes);
  let kmsSecretBox: Promise<SecretBox> | undefined;
  const open = async (): Promise<SecretBox> => {
    const key = env[secretsKeyVariable];
    if (!key) throw new Error(`${secretsKeyVariable} is not set`);
    const { kmsBox, openKms } = await import('./kms.ts');
    return kmsBox(openKms(functionClientConfig(env, 'kms')), key);
  };
  const box = () => {
    kmsSecretBox ??= open();
    return kmsSecretBox;
  };
  return {
    encrypt: async (secret, context) => (await box()).encrypt(secret, context),
    decrypt: async (sealed, context) => (await box()).decrypt(sealed, context),
  };
}
