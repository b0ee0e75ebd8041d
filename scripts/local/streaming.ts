/** Streams the answer of `local.extract`, word by word, in the form of Bedrock's ConverseStream or of OpenAI's chat completions. */

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeMessage } from '../../lib/models/event-stream.ts';
import { extract } from './extract.ts';
import { answerLocally, type ConverseRequest, localModel } from './judge.ts';

/** The part of a request for chat completions that is read. */
export type ChatBody = {
  messages: { role: string; content: string }[];
  max_tokens?: number;
  stream?: boolean;
  tools?: { function: { name: string; parameters: object } }[];
};

type Message = { role: string; text: string };
type Answer = { words: string[]; stop: 'end' | 'length'; inputTokens: number; outputTokens: number };

/** So that people see that it streams. */
const wordPauseMs = 10;
const bytesPerToken = 4;
const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / bytesPerToken);

function answerTo(messages: readonly Message[], maxTokens: number): Answer {
  const last = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const whole = extract(last);
  const text = whole.slice(0, maxTokens * bytesPerToken);
  return {
    words: text.trim().split(/(?<=\s)(?=\S)/),
    stop: text.length < whole.length ? 'length' : 'end',
    inputTokens: tokensOf(messages.map(({ text }) => text).join('')),
    outputTokens: tokensOf(text),
  };
}

async function writeWords(
  words: readonly string[],
  response: ServerResponse,
  write: (word: string) => void,
): Promise<void> {
  for (const word of words) {
    if (response.destroyed) return;
    write(word);
    await sleep(wordPauseMs);
  }
}

export async function answerConverseStream(
  request: ConverseRequest,
  response: ServerResponse,
): Promise<void> {
  const { maxTokens = 1024 } =
    (request as { inferenceConfig?: { maxTokens?: number } }).inferenceConfig ?? {};
  const messages = request.messages.map(({ role, content }) => ({
    role,
    text: content.map(({ text }) => text).join('\n\n'),
  }));
  const { words, stop, inputTokens, outputTokens } = answerTo(messages, maxTokens);
  const write = (name: string, body: object) =>
    void response.write(encodeMessage({ messageType: 'event', name, body: JSON.stringify(body) }));
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
  write('messageStart', { role: 'assistant' });
  await writeWords(words, response, (text) =>
    write('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
  );
  write('contentBlockStop', { contentBlockIndex: 0 });
  write('messageStop', { stopReason: stop === 'length' ? 'max_tokens' : 'end_turn' });
  write('metadata', { usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } });
  response.end();
}

export async function answerChat(body: ChatBody, response: ServerResponse): Promise<void> {
  if (body.tools) return answerByTool(body, response);
  const messages = body.messages.map(({ role, content }) => ({ role, text: content }));
  const { words, stop, inputTokens, outputTokens } = answerTo(messages, body.max_tokens ?? 1024);
  const write = (event: object) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await writeWords(words, response, (content) => write({ choices: [{ index: 0, delta: { content } }] }));
  write({ choices: [{ index: 0, delta: {}, finish_reason: stop === 'length' ? 'length' : 'stop' }] });
  write({ choices: [], usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens } });
  response.end('data: [DONE]\n\n');
}

/** An evaluator that names this model gets the answer of the other one. */
function answerByTool({ messages, tools = [] }: ChatBody, response: ServerResponse): void {
  const transcript = messages.at(-1)?.content.split('\n').at(-1) ?? '[]';
  const [tool] = tools;
  const { body } = answerLocally(localModel.id, {
    system: [],
    messages: [{ role: 'user', content: [{ text: transcript }] }],
    toolConfig: {
      tools: tool
        ? [
            {
              toolSpec: {
                name: tool.function.name,
                inputSchema: { json: tool.function.parameters as AnswerSchema },
              },
            },
          ]
        : [],
    },
  });
  const { output, usage } = body as {
    output: { message: { content: { toolUse: { name: string; input: object } }[] } };
    usage: { inputTokens: number; outputTokens: number };
  };
  const calls = output.message.content.map(({ toolUse: { name, input } }) => ({
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      choices: [{ message: { role: 'assistant', tool_calls: calls }, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens },
    }),
  );
}

type AnswerSchema = ConverseRequest['toolConfig']['tools'][number]['toolSpec']['inputSchema']['json'];
