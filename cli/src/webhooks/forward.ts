/** Sends an event to a receiver as the service does: Standard Webhooks (https://www.standardwebhooks.com), with `v1` signatures. */

import { createHmac, randomBytes } from 'node:crypto';
import { type PlatformEvent, ProxyError } from '../../../clients/typescript/src/index.ts';
import { ownFetch } from '../../../clients/typescript/src/node.ts';
import { usageError } from '../errors.ts';

/** The service waits this long for a receiver. */
const waitMs = 15_000;
const keptBytes = 16 * 1024;
const maxReadBytes = 1024 * 1024;
const secretPrefix = 'whsec_';

export const newSecret = (): string => secretPrefix + randomBytes(32).toString('base64');

/** Checks an option: the secret of a webhook. */
export function secretFrom(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text)) return text;
  throw usageError('--secret must be the secret of a webhook: whsec_ and base64.');
}

/** Checks an option: the address of a receiver. */
export function receiverFrom(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw usageError('--forward-to must be an address such as http://localhost:8080/hook.');
}

export type Receiver = { url: URL; secret: string };
/** The response of the receiver, or why there is none. */
export type Forwarded = { status: number | null; durationMs: number; error: string | null };

/** @param nowMs returns the current time in epoch milliseconds */
export async function forward(
  { url, secret }: Receiver,
  event: PlatformEvent,
  nowMs: () => number,
  timeoutMs = waitMs,
): Promise<Forwarded> {
  const startedMs = nowMs();
  const body = JSON.stringify(event);
  const seconds = Math.floor(startedMs / 1000);
  const signature = createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${event.id}.${seconds}.${body}`)
    .digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': `v1,${signature}`,
  };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await ownFetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await readBeginning(response);
    return { status: response.status, durationMs: nowMs() - startedMs, error: null };
  } catch (error) {
    if (error instanceof ProxyError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const message = cause instanceof Error ? cause.message : String(cause);
    return { status: null, durationMs: nowMs() - startedMs, error: message || 'no connection' };
  }
}

/**
 * Reads the start of a response as the service does (lib/network/send.ts): a response that does not say its length must end.
 * @throws Error if it does not end
 */
async function readBeginning({ headers, body }: Response): Promise<void> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (headers.has('content-length') && bytes >= keptBytes) return;
    if (bytes > maxReadBytes) throw new Error('The response does not end.');
  }
}

export const isReceived = ({ status }: Forwarded): boolean =>
  status !== null && status >= 200 && status < 300;
