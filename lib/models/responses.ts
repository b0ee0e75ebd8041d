/** What the clients of all providers share: reading responses, and what went wrong. */

import type { ModelReply } from './models.ts';

/** An answer has at most some thousand tokens. */
const maxResponseBytes = 1_000_000;

/** @returns undefined if it is too large */
export async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string | undefined> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The end of the loop cancels the rest.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxResponseBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @returns undefined if it is no JSON */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const maxTokens = 1_000_000_000;

/** @returns undefined if it is no credible number of tokens */
export const tokensOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens
    ? value
    : undefined;

type Retry = Extract<ModelReply, { kind: 'retry' }>;

/** An attempt without an answer, in which the model may have worked. */
export const lost = (reason: 'timeout' | 'network' | 'failed', message: string): Retry => ({
  kind: 'retry',
  reason,
  mayCost: true,
  message: message.slice(0, maxMessage),
});

export const maxMessage = 500;

export function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** The message of a refused request says what it is about. Only a text about the model concerns other requests too. */
export function refusalOf(message: string): 'too_long' | 'unavailable' | 'invalid' {
  if (isAboutLength(message)) return 'too_long';
  return isAboutModel(message) ? 'unavailable' : 'invalid';
}

/** Models use different words for a request that is too long. */
const isAboutLength = (message: string): boolean =>
  /too long|too many (input )?tokens|(maximum|available) context|context (length|window|size)|input tokens exceed|exceed(s|ed)?( the)? (maximum|max|limit)|input length should be|max tokens allowed/i.test(
    message,
  );

/** The id is unknown, the account has no access, or the model cannot answer in this form. */
const isAboutModel = (message: string): boolean =>
  /model identifier|model id\b|model (does not exist|not found)|on-demand throughput|inference profile|isn.t supported|(doesn.t|does not) support|unsupported parameter/i.test(
    message,
  );
