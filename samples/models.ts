/** Models for tests: the stand-in of the dev server, and what goes wrong when the question says so. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Model, ModelClient, ModelReply, ModelRequest } from '../lib/runtime/models.ts';
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

/**
 * A client without a network.
 * @param reply Default: as `answerWithFaults`
 */
export function fakeModels(
  reply: (request: ModelRequest, signal?: AbortSignal) => Promise<ModelReply> | ModelReply = replyWithFaults,
  listed: readonly Model[] = [localModel],
): ModelClient & { calls: ModelRequest[] } {
  const calls: ModelRequest[] = [];
  return {
    listed,
    calls,
    async converse(request, signal) {
      signal?.throwIfAborted();
      calls.push(request);
      return reply(request, signal);
    },
  };
}

/** What the client of Bedrock makes of such answers. */
export async function replyWithFaults({ modelId, body }: ModelRequest): Promise<ModelReply> {
  const answer = await answerWithFaults(modelId, JSON.parse(body) as ConverseRequest);
  const message = `${answer.status}`;
  if (answer.status === 200) return { kind: 'answer', body: answer.body };
  if (answer.status === 429) return { kind: 'retry', reason: 'throttled', mayCost: false, message };
  if (answer.status === 500) return { kind: 'retry', reason: 'failed', mayCost: true, message };
  if (answer.status === 400) return { kind: 'invalid', message };
  return { kind: 'unavailable', message };
}
