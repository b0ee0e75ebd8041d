/** Verifies the requests of webhooks (Standard Webhooks), with Web Crypto, which every runtime has. */

import { WebhooksMethods } from '../generated/methods.ts';

export type VerifyOptions = {
  /** How old a request may be, or how far in the future, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The current time in milliseconds. Default: `Date.now()`. */
  nowMs?: number | undefined;
};

/** A request that does not come from the webhook, or that is too old, or whose raw body is missing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** The headers of a request: `request.headers` of fetch, or an object with names in lower case, as in Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const defaultToleranceSeconds = 300;
const secretPrefix = 'whsec_';
/** The lengths that Standard Webhooks allows. */
const [minKeyBytes, maxKeyBytes] = [24, 64];

/**
 * Verifies a request, and parses it.
 * @param secret the secret in the response that created the webhook or rotated its secret
 * @param body the raw body, as it was received: text or bytes, not parsed
 * @returns the event
 * @throws TypeError if the text is not a secret of a webhook
 * @throws WebhookVerificationError if no signature is right, if the time is not within the tolerance, or if there is no raw body, such
 * as after a parser, or if the arguments are in another order
 */
export async function verifyWebhook<Event = unknown>(
  secret: string,
  headers: WebhookHeaders,
  body: string | ArrayBuffer | ArrayBufferView,
  { toleranceSeconds = defaultToleranceSeconds, nowMs = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const bytes = rawBytes(body);
  const hasHeaders = typeof headers === 'object' && headers !== null && !ArrayBuffer.isView(headers);
  // A secret is never a body.
  if (!bytes || !hasHeaders || (typeof body === 'string' && body.startsWith(secretPrefix)))
    throw new WebhookVerificationError(
      'Pass the raw body of the request, as text or bytes, and not parsed: verifyWebhook(secret, headers, body).',
    );
  const id = read(headers, 'webhook-id');
  const time = read(headers, 'webhook-timestamp');
  const signatures = read(headers, 'webhook-signature');
  const ageSeconds = nowMs / 1000 - Number(time);
  if (!/^\d{1,12}$/.test(time) || Math.abs(ageSeconds) > toleranceSeconds)
    throw new WebhookVerificationError('The webhook-timestamp is too far from the current time.');
  const content = concatenate(new TextEncoder().encode(`${id}.${time}.`), bytes);
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  let isRight = false;
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',', 2);
    const signatureBytes = version === 'v1' ? bytesOf(text) : undefined;
    // Web Crypto compares in constant time.
    if (signatureBytes && (await crypto.subtle.verify('HMAC', key, signatureBytes, content))) isRight = true;
  }
  if (!isRight) throw new WebhookVerificationError('No webhook-signature is right.');
  // The decoder removes a byte order mark, which is no JSON.
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Event;
}

/** @returns undefined for anything that is neither text nor bytes, such as a parsed body */
function rawBytes(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // `instanceof` fails for a buffer of another realm, such as in Jest.
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]'
    ? new Uint8Array(body as ArrayBuffer)
    : undefined;
}

function read(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers.get as (name: string) => string | null)(name)
      : (headers as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The request has no header ${name}.`);
}

/** @throws TypeError instead of using a key that anybody can guess */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  // The variable of the environment may be missing.
  const text = typeof secret === 'string' ? secret : '';
  const key = bytesOf(text.startsWith(secretPrefix) ? text.slice(secretPrefix.length) : text);
  if (key && key.length >= minKeyBytes && key.length <= maxKeyBytes) return key;
  throw new TypeError('This is not the secret of a webhook: whsec_ and base64.');
}

/** @returns undefined if it is not base64 */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(first.length + second.length);
  result.set(first);
  result.set(second, first.length);
  return result;
}

export class WebhooksHelpers extends WebhooksMethods {
  /** The same as `verifyWebhook`, which needs no key of the API. */
  readonly verify = verifyWebhook;
}
