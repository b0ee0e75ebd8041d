/**
 * A call of Bedrock's Converse API is one attempt: each attempt may cost, so the caller reserves and repeats it. aws4fetch
 * signs the request, as for S3.
 */

import { AwsV4Signer } from 'aws4fetch';
import { secondMs } from '../base/time.ts';
import { converseAnswer, converseBody, converseStreamBody, saidTokens, streamStop } from './converse-form.ts';
import { bounded, deliver, type Part } from './deliver.ts';
import { streamMessages } from './event-stream.ts';
import type { ModelClient, ModelReply } from './models.ts';
import { lost, maxMessage, messageOf, parseJson, recordOf, refusalOf, textOf } from './responses.ts';

export type BedrockSettings = {
  region: string;
  endpoint: string;
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
};

type Surroundings = {
  nowMs(): number;
  /** The time limit of a whole call that is not streamed. */
  timeoutMs?: number;
};

export function openBedrock(
  { region, endpoint, credentials }: BedrockSettings,
  { nowMs, timeoutMs = 60 * secondMs }: Surroundings,
): Pick<ModelClient, 'converse' | 'stream'> {
  if (!credentials) throw new Error('there are no credentials');
  const settings = { service: 'bedrock', region, ...credentials };

  async function send(modelId: string, operation: string, accept: string, body: string, signal: AbortSignal) {
    const { url, headers } = await new AwsV4Signer({
      ...settings,
      method: 'POST',
      url: `${new URL(endpoint).origin}/model/${encodeURIComponent(modelId)}/${operation}`,
      headers: { 'content-type': 'application/json', accept },
      body,
      datetime: new Date(nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign();
    return fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
  }

  return {
    async converse(request, signal) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const both = signal ? AbortSignal.any([signal, timeout]) : timeout;
        const body = converseBody(request);
        const response = await send(request.modelId, 'converse', 'application/json', body, both);
        const answer = parseJson(await textOf(response.body));
        return response.status === 200 ? converseAnswer(answer) : refusedBy(response, answer);
      } catch (error) {
        signal?.throwIfAborted();
        if (timeout.aborted) return lost('timeout', `no answer in ${timeoutMs / secondMs} seconds`);
        return lost('network', messageOf(error));
      }
    },

    async stream(request, onText, signal) {
      signal.throwIfAborted();
      let response: Response;
      try {
        const body = converseStreamBody(request);
        response = await send(request.modelId, 'converse-stream', eventStream, body, signal);
        if (response.status !== 200) return refusedBy(response, parseJson(await textOf(response.body)));
      } catch (error) {
        signal.throwIfAborted();
        return isRefused(error)
          ? { kind: 'retry', reason: 'network', mayCost: false, message: messageOf(error) }
          : lost('network', messageOf(error));
      }
      return deliver(partsOf(response), onText, signal);
    },
  };
}

/** Nothing was sent: there is no connection. */
const isRefused = (error: unknown): boolean => {
  const { cause } = error as { cause?: { code?: unknown } };
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(cause?.code));
};

const eventStream = 'application/vnd.amazon.eventstream';

/** The use comes after the reason of the stop, as the last event. */
async function* partsOf({ body }: Response): AsyncGenerator<Part> {
  if (!body) return;
  let stopReason: unknown;
  for await (const message of streamMessages(bounded(body))) {
    const content = parseJson(message.body);
    if (message.messageType !== 'event') {
      yield { end: brokenBy(message.name, detailOf(content)) };
      return;
    }
    if (message.name === 'contentBlockDelta') {
      const { text } = recordOf(recordOf(content).delta);
      if (typeof text === 'string') yield { text };
    }
    if (message.name === 'messageStop') stopReason = recordOf(content).stopReason;
    if (message.name === 'metadata' && stopReason !== undefined) {
      const stop = streamStop(stopReason);
      yield { end: { kind: 'answer', stop, ...saidTokens(recordOf(content).usage) } };
      return;
    }
  }
  if (stopReason === undefined) return;
  const none = { inputTokens: undefined, outputTokens: undefined };
  yield { end: { kind: 'answer', stop: streamStop(stopReason), ...none } };
}

/** The response has begun, so the model may have worked. */
const brokenBy = (name: string, detail: string): ModelReply & { kind: 'retry' } => ({
  kind: 'retry',
  reason: /throttling|serviceUnavailable/i.test(name) ? 'throttled' : 'failed',
  mayCost: true,
  message: `${name} ${detail}`.trim().slice(0, maxMessage),
});

type Refusal = Exclude<ModelReply, { kind: 'answer' }>;

/** The Amazon Bedrock User Guide has the errors in "Errors" and "Troubleshooting Amazon Bedrock API Error Codes". */
function refusedBy({ status, headers }: Response, body: unknown): Refusal {
  const type = headers.get('x-amzn-errortype')?.split(':')[0] ?? '';
  const message = `${status} ${type} ${detailOf(body)}`.trim().slice(0, maxMessage);
  if (status === 429) return { kind: 'retry', reason: 'throttled', mayCost: false, message };
  // 408 is a time-out of the model, and 424 its failure.
  if (status === 408) return { kind: 'retry', reason: 'timeout', mayCost: true, message };
  // The response does not say whether the model has worked.
  if (status === 503) return { kind: 'retry', reason: 'throttled', mayCost: true, message };
  if (status === 424 || status >= 500) return { kind: 'retry', reason: 'failed', mayCost: true, message };
  if (status === 413) return { kind: 'too_long', message };
  if (status === 400) return { kind: refusalOf(detailOf(body)), message };
  return { kind: 'unavailable', message };
}

function detailOf(body: unknown): string {
  const { message, Message } = recordOf(body);
  const detail = message ?? Message;
  return typeof detail === 'string' ? detail : '';
}
