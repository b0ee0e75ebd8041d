/**
 * A model of evaluators on this machine, in the form of Bedrock's Converse API: it gives the same answer to the same request, in the
 * requested form, and knows nothing.
 */

import type { Model } from '../../lib/models/models.ts';

export const localModel: Model = {
  id: 'local.judge',
  inputUsdPerMillionTokens: 1,
  outputUsdPerMillionTokens: 4,
};

/** The part of a request of Converse that is read. */
export type ConverseRequest = {
  system: { text: string }[];
  messages: { role: string; content: { text: string }[] }[];
  toolConfig: { tools: { toolSpec: { name: string; inputSchema: { json: AnswerSchema } } }[] };
};
type AnswerSchema = { properties: { value: ValueSchema } };
type ValueSchema = {
  type: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, ValueSchema>;
  required?: string[];
};

/** `status` is not 200 for a failure. */
export type ConverseResponse = { status: number; body: unknown };
export type Answer = (
  modelId: string,
  request: ConverseRequest,
) => Promise<ConverseResponse> | ConverseResponse;

export const failure = (status: number, message: string): ConverseResponse => ({ status, body: { message } });

/** A boolean is true if the avatar has the last word; all other values are the first or the lowest possible ones. */
export function answerLocally(modelId: string, request: ConverseRequest): ConverseResponse {
  if (modelId !== localModel.id) return failure(404, `there is no model ${modelId}`);
  const transcript = request.messages[0]?.content.at(-1)?.text ?? '[]';
  const last = (JSON.parse(transcript) as { seq: number; role: string }[]).at(-1);
  const tool = request.toolConfig.tools[0]?.toolSpec;
  if (!tool) return failure(400, 'there is no tool');
  const input = {
    value: valueFor(tool.inputSchema.json.properties.value, last?.role === 'avatar'),
    rationale: 'This model runs on your machine. It looks only at who has sent the last message.',
    evidence: last ? [last.seq] : [],
  };
  const content = [{ toolUse: { toolUseId: 'local', name: tool.name, input } }];
  const inputTokens = tokensOf(request);
  const outputTokens = tokensOf(input);
  return {
    status: 200,
    body: {
      output: { message: { role: 'assistant', content } },
      stopReason: 'tool_use',
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      metrics: { latencyMs: 1 },
    },
  };
}

const bytesPerToken = 4;
const tokensOf = (value: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(value)) / bytesPerToken);

function valueFor(schema: ValueSchema, isTrue: boolean): unknown {
  switch (schema.type) {
    case 'boolean':
      return isTrue;
    case 'number':
    case 'integer':
      return numberOf(schema);
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).flatMap((name) => {
          const property = schema.properties?.[name];
          return property ? [[name, valueFor(property, isTrue)]] : [];
        }),
      );
    default:
      return schema.enum?.[0] ?? 'A text.'.slice(0, schema.maxLength ?? undefined);
  }
}

/** @returns the lowest number; without a lowest one, 0 or the highest one below 0 */
function numberOf({ type, minimum, maximum }: ValueSchema): number {
  if (type === 'number') return minimum ?? Math.min(0, maximum ?? 0);
  return minimum === undefined ? Math.min(0, Math.floor(maximum ?? 0)) : Math.ceil(minimum);
}
