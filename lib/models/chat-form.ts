/** The form of OpenAI's chat completions ("Create chat completion", OpenAI API Reference), as other servers understand it. Pure. */

import type { ChatRequest, ModelAnswer, ModelEndpoint, ModelRequest, SaidTokens } from './models.ts';
import { parseJson, recordOf, tokensOf } from './responses.ts';

/** Not every server reads a content that is a list of parts, or a second system message. */
const joined = (texts: readonly string[]) => texts.join('\n\n');

const chatOf = (
  { model, maxTokensField }: ModelEndpoint,
  { system, messages, maxTokens, temperature }: ChatRequest,
) => ({
  model,
  messages: [
    ...(system.length > 0 ? [{ role: 'system', content: joined(system) }] : []),
    ...messages.map(({ role, content }) => ({ role, content: joined(content) })),
  ],
  [maxTokensField ?? 'max_tokens']: maxTokens,
  ...(temperature !== undefined && { temperature }),
});

/** @returns the body of a request for a streamed answer. A server that does not know `stream_options` says no tokens */
export const chatStreamBody = (endpoint: ModelEndpoint, request: ChatRequest): string =>
  JSON.stringify({ ...chatOf(endpoint, request), stream: true, stream_options: { include_usage: true } });

/** @returns the body of a request whose answer is forced into a call of the tool. llama.cpp knows no tool's name here */
export const chatToolBody = (endpoint: ModelEndpoint, request: ModelRequest): string => {
  const { name, description, schema } = request.tool;
  return JSON.stringify({
    ...chatOf(endpoint, request),
    tools: [{ type: 'function', function: { name, description, parameters: schema } }],
    tool_choice: 'required',
  });
};

const firstOf = (choices: unknown) => recordOf(Array.isArray(choices) ? choices[0] : undefined);

/** @param body parsed JSON, or undefined */
export function chatAnswer(body: unknown): ModelAnswer {
  const { choices, usage } = recordOf(body);
  const { message, finish_reason: reason } = firstOf(choices);
  const { tool_calls: toolCalls, refusal } = recordOf(message);
  return {
    kind: 'answer',
    stop: isText(refusal) ? 'refused' : (stops.get(reason) ?? 'other'),
    calls: (Array.isArray(toolCalls) ? toolCalls : []).map((call: unknown) => {
      const { name, arguments: input } = recordOf(recordOf(call).function);
      return { name, input: typeof input === 'string' ? parseJson(input) : input };
    }),
    ...saidTokens(usage),
  };
}

const stops: ReadonlyMap<unknown, 'end' | 'length' | 'refused'> = new Map([
  ['stop', 'end'],
  ['length', 'length'],
  ['content_filter', 'refused'],
] as const);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What a part of a stream says. */
export type ChatChunk = {
  text?: string;
  stop?: 'end' | 'length' | 'refused';
  tokens?: SaidTokens;
  error?: string;
};

/** @returns undefined if it is no part of a stream */
export function chatChunk(data: string): ChatChunk | undefined {
  const body = parseJson(data);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { choices, usage, error } = recordOf(body);
  if (error !== undefined && error !== null) return { error: detailOf(body) || 'the model has failed' };
  const { delta, finish_reason: reason } = firstOf(choices);
  const { content, refusal } = recordOf(delta);
  const stop = isText(refusal) ? 'refused' : stopOf(reason);
  return {
    ...(isText(content) && { text: content }),
    ...(stop && { stop }),
    // Some servers say in each part how many tokens there are until now.
    ...(typeof usage === 'object' && usage !== null && { tokens: saidTokens(usage) }),
  };
}

/** No tool is offered, so every other reason, for example that of a call, is an end. */
const stopOf = (reason: unknown) => (isText(reason) ? (stops.get(reason) ?? 'end') : undefined);

function saidTokens(usage: unknown): SaidTokens {
  const { prompt_tokens: input, completion_tokens: output } = recordOf(usage);
  return { inputTokens: tokensOf(input), outputTokens: tokensOf(output) };
}

/** @returns the code and the message of an error. Servers have different forms of it */
export function detailOf(body: unknown): string {
  const { error, message, detail } = recordOf(body);
  const own = recordOf(error);
  return [own.code, own.message, error, message, detail].filter(isText).join(' ');
}
