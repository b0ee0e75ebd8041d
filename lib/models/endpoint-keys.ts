/**
 * The keys of endpoints. A process reads a key with its first use, and again when the endpoint refuses it, because somebody may have
 * changed it. A key is in no log, and in no error.
 */

import { AwsV4Signer } from 'aws4fetch';
import { secondMs } from '../base/time.ts';
import type { KeyPlace, ModelReply } from './models.ts';
import { maxMessage, messageOf, parseJson, recordOf, textOf } from './responses.ts';

type Settings = {
  region: string;
  endpoint: string;
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
};

export type KeySurroundings = {
  /** The settings of an AWS client. */
  settings(service: 'secretsmanager' | 'ssm'): Settings;
  env: Readonly<Record<string, string | undefined>>;
  nowMs(): number;
};

type Refusal = Extract<ModelReply, { kind: 'retry' | 'unavailable' }>;

/** There is no key. The model has not been asked. */
export class NoKey extends Error {
  readonly reply: Refusal;

  constructor(reply: Refusal) {
    super(reply.message);
    this.reply = reply;
  }
}

const timeoutMs = 5 * secondMs;

export type Keys = {
  /** @throws NoKey, or the reason of the signal */
  read(place: KeyPlace, signal: AbortSignal): Promise<string>;
  forget(place: KeyPlace): void;
};

export function openKeys({ settings, env, nowMs }: KeySurroundings): Keys {
  const known = new Map<string, string>();
  return {
    async read(place, signal) {
      const name = JSON.stringify(place);
      const key = known.get(name) ?? (await keyAt(place, signal));
      known.set(name, key);
      return key;
    },
    forget(place) {
      known.delete(JSON.stringify(place));
    },
  };

  async function keyAt(place: KeyPlace, signal: AbortSignal): Promise<string> {
    if ('variable' in place) return checked(env[place.variable]);
    if ('secretName' in place) {
      const body = { SecretId: place.secretName };
      const answer = await ask('secretsmanager', 'secretsmanager.GetSecretValue', body, signal);
      return checked(answer.SecretString);
    }
    const body = { Name: place.parameterName, WithDecryption: true };
    const answer = await ask('ssm', 'AmazonSSM.GetParameter', body, signal);
    return checked(recordOf(answer.Parameter).Value);
  }

  async function ask(
    service: 'secretsmanager' | 'ssm',
    target: string,
    content: object,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { region, endpoint, credentials } = settings(service);
    if (!credentials) throw new Error('there are no credentials');
    const body = JSON.stringify(content);
    const timeout = AbortSignal.timeout(timeoutMs);
    const { url, headers } = await new AwsV4Signer({
      service,
      region,
      ...credentials,
      method: 'POST',
      url: `${new URL(endpoint).origin}/`,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
      body,
      datetime: new Date(nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign();
    try {
      const both = AbortSignal.any([signal, timeout]);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: both });
      const answer = recordOf(parseJson(await textOf(response.body)));
      if (response.status === 200) return answer;
      throw new NoKey(refusedBy(response.status, answer));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoKey) throw error;
      const message = `the key cannot be read: ${messageOf(error)}`.slice(0, maxMessage);
      throw new NoKey({
        kind: 'retry',
        reason: timeout.aborted ? 'timeout' : 'network',
        mayCost: false,
        message,
      });
    }
  }
}

/** Only the type of the error is shown, and never a body that may have a key. */
function refusedBy(status: number, { __type: type }: Record<string, unknown>): Refusal {
  const name = typeof type === 'string' ? type.replace(/^.*#/, '') : '';
  const message = `the key cannot be read: ${status} ${name}`.trim();
  if (/Throttl|TooManyRequests/.test(name) || status === 429)
    return { kind: 'retry', reason: 'throttled', mayCost: false, message };
  if (status >= 500) return { kind: 'retry', reason: 'failed', mayCost: false, message };
  return { kind: 'unavailable', message };
}

/** @returns a key that a header can have */
function checked(value: unknown): string {
  const key = typeof value === 'string' ? value.trim() : '';
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new NoKey({
    kind: 'unavailable',
    message: 'the key is empty, or has characters that no header can have',
  });
}
