/**
 * A call of Bedrock's Converse API is one attempt: each attempt may cost, so the caller reserves and repeats it. aws4fetch
 * signs the request, as for S3.
 */

import { AwsV4Signer } from 'aws4fetch';
import { secondMs } from '../base/time.ts';
import type { ModelClient, ModelReply } from './models.ts';

export type BedrockSettings = {
  region: string;
  endpoint: string;
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
};

type Surroundings = {
  nowMs(): number;
  /** The time limit of a whole call. */
  timeoutMs?: number;
};

/** An answer has at most some thousand tokens. */
const maxResponseBytes = 1_000_000;

export function openBedrock(
  { region, endpoint, credentials }: BedrockSettings,
  { nowMs, timeoutMs = 60 * secondMs }: Surroundings,
): Pick<ModelClient, 'converse' | 'stream'> {
  if (!credentials) throw new Error('there are no credentials');
  const settings = { service: 'bedrock', region, ...credentials };
  const converse: ModelClient['converse'] = async ({ modelId, body }, signal) => {
    const { url, headers } = await new AwsV4Signer({
      ...settings,
      method: 'POST',
      url: `${new URL(endpoint).origin}/model/${encodeURIComponent(modelId)}/converse`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      datetime: new Date(nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign();
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return replyOf(response, await textOf(response));
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) return lost('timeout', `no answer in ${timeoutMs / secondMs} seconds`);
      return lost('network', messageOf(error));
    }
  };
  return { converse, stream: () => Promise.reject(new Error('Bedrock does not stream yet')) };
}

const lost = (reason: 'timeout' | 'network', message: string): ModelReply => ({
  kind: 'retry',
  reason,
  mayCost: true,
  message,
});

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** @returns undefined if it is too large */
async function textOf(response: Response): Promise<string | undefined> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The end of the loop cancels the rest.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxResponseBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The Amazon Bedrock User Guide has the errors in "Errors" and "Troubleshooting Amazon Bedrock API Error Codes". */
function replyOf({ status, headers }: Response, text: string | undefined): ModelReply {
  const body = parseJson(text);
  if (status === 200) return { kind: 'answer', body };
  const type = headers.get('x-amzn-errortype')?.split(':')[0] ?? '';
  const message = `${status} ${type} ${detailOf(body)}`.trim().slice(0, maxMessage);
  if (status === 429) return { kind: 'retry', reason: 'throttled', mayCost: false, message };
  // 408 is a time-out of the model, and 424 its failure.
  if (status === 408) return { kind: 'retry', reason: 'timeout', mayCost: true, message };
  // The response does not say whether the model has worked.
  if (status === 503) return { kind: 'retry', reason: 'throttled', mayCost: true, message };
  if (status === 424 || status >= 500) return { kind: 'retry', reason: 'failed', mayCost: true, message };
  if (status === 413) return { kind: 'too_long', message };
  if (status === 400) return { kind: kindOf(detailOf(body)), message };
  return { kind: 'unavailable', message };
}

/** The message of a ValidationException says what it is about. Only a text about the model concerns other requests too. */
function kindOf(message: string): 'too_long' | 'unavailable' | 'invalid' {
  if (isAboutLength(message)) return 'too_long';
  return isAboutModel(message) ? 'unavailable' : 'invalid';
}

const maxMessage = 500;

/** Models use different words for a request that is too long. */
const isAboutLength = (message: string): boolean =>
  /too long|too many (input )?tokens|maximum context length|context window|input tokens exceed|exceed(s|ed)?( the)? (maximum|max|limit)|input length should be|max tokens allowed/i.test(
    message,
  );

/** The id is unknown, the account has no access, or the model cannot answer by a call of a tool. */
const isAboutModel = (message: string): boolean =>
  /model identifier|model id\b|on-demand throughput|inference profile|isn.t supported|doesn.t support/i.test(
    message,
  );

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function detailOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const { message, Message } = body as { message?: unknown; Message?: unknown };
  const detail = message ?? Message;
  return typeof detail === 'string' ? detail : '';
}
