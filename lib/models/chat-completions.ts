/**
 * A call of an endpoint with OpenAI's chat completions is one attempt: each attempt may cost, so the caller reserves and repeats it. The
 * connection goes to a checked address, as for every URL that the service calls.
 */

import type { IncomingMessage } from 'node:http';
import { secondMs } from '../base/time.ts';
import { refuseTarget } from '../network/addresses.ts';
import { assertComplete, checkedAddress, exchange, Failed } from '../network/connect.ts';
import type { Network } from '../network/network.ts';
import { chatAnswer, chatChunk, chatStreamBody, chatToolBody, detailOf } from './chat-form.ts';
import { BrokenStream, bounded, deliver, type Part } from './deliver.ts';
import { type KeySurroundings, NoKey, openKeys } from './endpoint-keys.ts';
import type {
  ChatRequest,
  ModelAnswer,
  ModelClient,
  ModelEndpoint,
  ModelReply,
  ModelRequest,
  OnText,
  SaidTokens,
  StreamEnd,
} from './models.ts';
import { lost, maxMessage, messageOf, parseJson, refusalOf, textOf } from './responses.ts';
import { eventData } from './sse.ts';

type Surroundings = {
  network: Network;
  keys: KeySurroundings;
  /** The time limit of a whole call that is not streamed. */
  timeoutMs?: number;
};

type Refusal = Exclude<ModelReply, { kind: 'answer' }>;
type Answered = { response: IncomingMessage } | { refusal: Refusal };

export type ChatCompletions = {
  converse(endpoint: ModelEndpoint, request: ModelRequest, signal?: AbortSignal): Promise<ModelReply>;
  stream(
    endpoint: ModelEndpoint,
    request: ChatRequest,
    onText: OnText,
    signal: AbortSignal,
  ): Promise<StreamEnd>;
};

/** @returns a client of each endpoint. It is here because every function has the code that chooses a client */
export function openChatClients(surroundings: Surroundings) {
  const chat = openChatCompletions(surroundings);
  return (endpoint: ModelEndpoint): Omit<ModelClient, 'listed'> => ({
    converse: (...rest) => chat.converse(endpoint, ...rest),
    stream: (...rest) => chat.stream(endpoint, ...rest),
  });
}

export function openChatCompletions({
  network,
  keys: keySurroundings,
  timeoutMs = 60 * secondMs,
}: Surroundings): ChatCompletions {
  const keys = openKeys(keySurroundings);

  /** @throws the reason of the signal */
  async function send(endpoint: ModelEndpoint, body: string, signal: AbortSignal): Promise<Answered> {
    const { key: place } = endpoint;
    try {
      const key = place && (await keys.read(place, signal));
      const answered = await sendWith(endpoint, body, key, signal);
      if (!place || !('isKeyRefused' in answered)) return answered;
      // Somebody may have changed the key. A request that is refused so costs nothing.
      keys.forget(place);
      const next = await keys.read(place, signal);
      return next === key ? answered : await sendWith(endpoint, body, next, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoKey) return { refusal: error.reply };
      return { refusal: failureOf(error) };
    }
  }

  async function sendWith(
    { baseUrl, privateHosts = [] }: ModelEndpoint,
    body: string,
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<Answered | { refusal: Refusal; isKeyRefused: true }> {
    const url = new URL(`${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/chat/completions`);
    const own: Network = { ...network, privateHosts };
    if (refuseTarget(url, own) !== undefined) throw new Failed('address_not_allowed', false);
    const address = await checkedAddress(url, own, signal);
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    const response = await exchange(url, address, { headers, body, network: own, signal });
    const { statusCode: status = 0 } = response;
    if (status === 200) return { response };
    const refusal = refusedBy(status, parseJson(await textOf(response)), key);
    return status === 401 || status === 403 ? { refusal, isKeyRefused: true } : { refusal };
  }

  return {
    async converse(endpoint, request, signal) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const both = signal ? AbortSignal.any([signal, timeout]) : timeout;
      try {
        const answered = await send(endpoint, chatToolBody(endpoint, request), both);
        return 'refusal' in answered ? answered.refusal : await answerOf(answered.response, both);
      } catch (error) {
        signal?.throwIfAborted();
        if (timeout.aborted) return lost('timeout', `no answer in ${timeoutMs / secondMs} seconds`);
        return failureOf(error);
      }
    },

    async stream(endpoint, request, onText, signal) {
      signal.throwIfAborted();
      const answered = await send(endpoint, chatStreamBody(endpoint, request), signal);
      if ('refusal' in answered) return answered.refusal;
      return deliver(partsOf(answered.response), onText, signal);
    },
  };
}

async function answerOf(response: IncomingMessage, signal: AbortSignal): Promise<ModelAnswer> {
  const text = await textOf(response);
  // A body that is too large is not complete, and no answer.
  if (text !== undefined) assertComplete(response, signal);
  return chatAnswer(parseJson(text));
}

const unsaid: SaidTokens = { inputTokens: undefined, outputTokens: undefined };

/** The use comes after the reason of the stop, in a part of its own, and before `[DONE]`. Some servers end without these. */
async function* partsOf(response: IncomingMessage): AsyncGenerator<Part> {
  let stop: 'end' | 'length' | 'refused' | undefined;
  let tokens = unsaid;
  for await (const data of eventData(bounded(response))) {
    if (data === '[DONE]') {
      yield { end: { kind: 'answer', stop: stop ?? 'end', ...tokens } };
      return;
    }
    const chunk = chatChunk(data);
    if (!chunk) throw new BrokenStream('the stream has a part that is no JSON object');
    if (chunk.error !== undefined) {
      yield { end: lost('failed', chunk.error) };
      return;
    }
    if (chunk.text !== undefined) yield { text: chunk.text };
    stop = chunk.stop ?? stop;
    tokens = chunk.tokens ?? tokens;
  }
  if (stop !== undefined) yield { end: { kind: 'answer', stop, ...tokens } };
}

/** An error of the connection. The model has not worked if the request was not sent. */
function failureOf(error: unknown): Refusal {
  if (!(error instanceof Failed)) return lost('network', messageOf(error));
  if (error.error === 'address_not_allowed')
    return { kind: 'unavailable', message: 'the endpoint has an address that is not allowed' };
  return { kind: 'retry', reason: 'network', mayCost: error.isSent, message: error.error };
}

/** "Error codes", OpenAI API Reference. Other servers have the same statuses. */
function refusedBy(status: number, body: unknown, key: string | undefined): Refusal {
  // An endpoint may repeat the key that it refuses.
  const detail = key === undefined ? detailOf(body) : detailOf(body).replaceAll(key, '…');
  const message = `${status} ${detail}`.trim().slice(0, maxMessage);
  if (status === 429) {
    // Nobody has paid, so no later attempt succeeds.
    if (/\binsufficient_quota\b/.test(detail)) return { kind: 'unavailable', message };
    return { kind: 'retry', reason: 'throttled', mayCost: false, message };
  }
  if (status === 408) return { kind: 'retry', reason: 'timeout', mayCost: true, message };
  if (status === 503) return { kind: 'retry', reason: 'throttled', mayCost: true, message };
  if (status >= 500) return { kind: 'retry', reason: 'failed', mayCost: true, message };
  if (status === 413) return { kind: 'too_long', message };
  if (status === 400 || status === 422) return { kind: refusalOf(detail), message };
  return { kind: 'unavailable', message };
}
