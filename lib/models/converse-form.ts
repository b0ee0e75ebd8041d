/** The form of Bedrock's Converse API ("Converse" and "ConverseStream", Amazon Bedrock API Reference). Pure. */

import type { ChatRequest, ModelAnswer, ModelRequest, SaidTokens, StreamEnd } from './models.ts';
import { recordOf, tokensOf } from './responses.ts';

const blocks = (texts: readonly string[]) => texts.map((text) => ({ text }));

const chatOf = ({ system, messages, maxTokens, temperature }: ChatRequest) => ({
  system: blocks(system),
  messages: messages.map(({ role, content }) => ({ role, content: blocks(content) })),
  inferenceConfig: { maxTokens, ...(temperature !== undefined && { temperature }) },
});

/** @returns the body of a request for a streamed answer */
export const converseStreamBody = (request: ChatRequest): string => JSON.stringify(chatOf(request));

/** @returns the body of a request whose answer is forced into a call of the tool */
export const converseBody = (request: ModelRequest): string => {
  const { name, description, schema } = request.tool;
  return JSON.stringify({
    ...chatOf(request),
    toolConfig: {
      tools: [{ toolSpec: { name, description, inputSchema: { json: schema } } }],
      toolChoice: { tool: { name } },
    },
  });
};

/** @param body parsed JSON, or undefined */
export function converseAnswer(body: unknown): ModelAnswer {
  const { output, stopReason, usage } = recordOf(body);
  const { content } = recordOf(recordOf(output).message);
  return {
    kind: 'answer',
    stop: stops.get(stopReason) ?? 'other',
    calls: (Array.isArray(content) ? content : []).flatMap((block: unknown) => {
      const { toolUse } = recordOf(block);
      if (toolUse === undefined) return [];
      const { name, input } = recordOf(toolUse);
      return [{ name, input }];
    }),
    ...saidTokens(usage),
  };
}

const stops: ReadonlyMap<unknown, ModelAnswer['stop']> = new Map([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['guardrail_intervened', 'refused'],
  ['content_filtered', 'refused'],
  ['refusal', 'refused'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'too_long'],
  ['malformed_model_output', 'malformed'],
  ['malformed_tool_use', 'malformed'],
]);

/** @returns how a streamed text has ended. One that fills the context of the model is cut off, as one with too many tokens */
export function streamStop(stopReason: unknown): Extract<StreamEnd, { kind: 'answer' }>['stop'] {
  const stop = stops.get(stopReason);
  if (stop === 'refused') return stop;
  return stop === 'length' || stop === 'too_long' ? 'length' : 'end';
}

export function saidTokens(usage: unknown): SaidTokens {
  const { inputTokens, outputTokens } = recordOf(usage);
  return { inputTokens: tokensOf(inputTokens), outputTokens: tokensOf(outputTokens) };
}
