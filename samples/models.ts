/** Models for tests: the stand-in of the dev server, and what goes wrong when the question says so. */

import { setTimeout as sleep } from 'node:timers/promises';
import { converseAnswer, converseBody } from '../lib/models/converse-form.ts';
import type {
  ChatRequest,
  Model,
  ModelClient,
  ModelReply,
  ModelRequest,
  StreamEnd,
} from '../lib/models/models.ts';
import {
  type Answer,
  answerLocally,
  type ConverseRequest,
  type ConverseResponse,
  failure,
  localModel,
} from '../scripts/local/judge.ts';

/** A part of the prompt of an evaluator, and what the model does then. */
export const modelFaults = [
  '[[refuse]]',
  '[[filter]]',
  '[[cut]]',
  '[[invalid]]',
  '[[evidence]]',
  '[[slow]]',
  '[[throttle]]',
  '[[fail]]',
  '[[malformed]]',
  '[[gone]]',
] as const;

const slowMs = 2000;

const said = (stopReason: string, content: unknown[]): ConverseResponse => ({
  status: 200,
  body: {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 },
  },
});

const scored = (input: unknown) => said('tool_use', [{ toolUse: { toolUseId: 't', name: 'score', input } }]);

/** @returns the answer of the stand-in, unless the prompt contains one of `modelFaults` */
export const answerWithFaults: Answer = async (modelId, request) => {
  const prompt = request.system.at(-1)?.text ?? '';
  switch (modelFaults.find((fault) => prompt.includes(fault))) {
    case '[[refuse]]':
      return said('end_turn', [{ text: 'I cannot judge this.' }]);
    case '[[filter]]':
      return said('content_filtered', []);
    case '[[cut]]':
      return said('max_tokens', [{ text: 'It is' }]);
    case '[[invalid]]':
      return scored({ value: { any: 'thing' }, rationale: 'r', evidence: [] });
    case '[[evidence]]': {
      const { body } = answerLocally(modelId, request);
      const { output } = body as { output: { message: { content: { toolUse: { input: object } }[] } } };
      return scored({ ...output.message.content[0]?.toolUse.input, evidence: [1_000_000] });
    }
    case '[[throttle]]':
      return failure(429, 'Too many requests, please wait before trying again.');
    case '[[fail]]':
      return failure(500, 'internal error');
    case '[[malformed]]':
      return failure(400, 'The model returned the following errors: malformed input request');
    case '[[gone]]':
      return failure(404, 'the model has reached the end of its life');
    case '[[slow]]':
      await sleep(slowMs);
      return answerLocally(modelId, request);
    default:
      return answerLocally(modelId, request);
  }
};

/** What a model does with one request for a stream. */
export type StreamScript = {
  /** Texts in their order. A number is a pause in milliseconds. A function is called and awaited: a gate, or what happens meanwhile. */
  steps?: readonly (string | number | (() => unknown))[];
  /** Default: an answer that has ended by itself, with a token for each four bytes. `throws` is a client that fails. */
  end?: StreamEnd | { kind: 'throws'; error: Error };
};

/** @param index the number of earlier requests for a stream */
export type Script = (request: ChatRequest, index: number) => StreamScript | Promise<StreamScript>;

export const defaultAnswer = 'This is the answer.';

const answersAtOnce: Script = () => ({ steps: [defaultAnswer] });

const tokensOf = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);

/** Does what a script says. The signal ends it at each step. */
async function play(
  request: ChatRequest,
  { steps = [], end }: StreamScript,
  onText: (text: string) => Promise<void> | void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const ended = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Nobody may wait for it.
  ended.catch(() => {});
  let text = '';
  for (const step of steps) {
    signal.throwIfAborted();
    if (typeof step === 'number') await sleep(step, undefined, { signal });
    else if (typeof step === 'function') await Promise.race([step(), ended]);
    else {
      text += step;
      await onText(step);
    }
  }
  signal.throwIfAborted();
  if (end?.kind === 'throws') throw end.error;
  const use = { inputTokens: tokensOf(request), outputTokens: tokensOf(text) };
  return end ?? { kind: 'answer', stop: 'end', ...use };
}

/**
 * A client without a network.
 * @param reply Default: as `answerWithFaults`
 * @param script what it does with requests for a stream. Default: it answers `defaultAnswer` at once
 */
export function fakeModels(
  reply: (request: ModelRequest, signal?: AbortSignal) => Promise<ModelReply> | ModelReply = replyWithFaults,
  listed: readonly Model[] = [localModel],
  script: Script = answersAtOnce,
): ModelClient & { calls: ModelRequest[]; streams: ChatRequest[] } {
  const calls: ModelRequest[] = [];
  const streams: ChatRequest[] = [];
  return {
    listed,
    calls,
    streams,
    async stream(request, onText, signal) {
      signal.throwIfAborted();
      streams.push(request);
      return play(request, await script(request, streams.length - 1), onText, signal);
    },
    async converse(request, signal) {
      signal?.throwIfAborted();
      calls.push(request);
      return reply(request, signal);
    },
  };
}

/** What the client of Bedrock makes of such answers. */
export async function replyWithFaults(request: ModelRequest): Promise<ModelReply> {
  const body = JSON.parse(converseBody(request)) as ConverseRequest;
  const answer = await answerWithFaults(request.modelId, body);
  const message = `${answer.status}`;
  if (answer.status === 200) return converseAnswer(answer.body);
  if (answer.status === 429) return { kind: 'retry', reason: 'throttled', mayCost: false, message };
  if (answer.status === 500) return { kind: 'retry', reason: 'failed', mayCost: true, message };
  if (answer.status === 400) return { kind: 'invalid', message };
  return { kind: 'unavailable', message };
}
