/**
 * A stage lists models with their prices, and workers send requests to them. Amazon Bedrock runs a model (bedrock.ts), or an endpoint
 * with OpenAI's chat completions does.
 */

/** Where the key of an endpoint is: a secret of Secrets Manager, a SecureString of SSM, or for development a variable. */
export type KeyPlace = { secretName: string } | { parameterName: string } | { variable: string };

/** An endpoint with OpenAI's chat completions, for example of vLLM, Ollama, llama.cpp, LiteLLM or OpenAI. */
export type ModelEndpoint = {
  /** The URL before `/chat/completions`. */
  baseUrl: string;
  /** The name that the endpoint has for the model. */
  model: string;
  key?: KeyPlace;
  /** The hosts that may have addresses of a private network. */
  privateHosts?: readonly string[];
  /** Some models of OpenAI refuse `max_tokens`. */
  maxTokensField?: 'max_completion_tokens';
};

export type Model = {
  /** The id of a model of Bedrock, or of an inference profile. With an endpoint, any id. */
  id: string;
  inputUsdPerMillionTokens: number;
  outputUsdPerMillionTokens: number;
  /** By default, a limit of the request in bytes applies. */
  maxInputTokens?: number;
  /** The most that an answer may have. */
  maxOutputTokens?: number;
  /** How long the answer of a reply may take, if that is less than the worker's limit. */
  maxAnswerSeconds?: number;
  /** Default: Bedrock runs the model. */
  endpoint?: ModelEndpoint;
};

/** A request for an answer in text. It is the same for every provider. */
export type ChatRequest = {
  modelId: string;
  /** What the model is told before the conversation, in this order. */
  system: readonly string[];
  /** Each message has one or more blocks of text. */
  messages: readonly { role: 'user' | 'assistant'; content: readonly string[] }[];
  /** The most that the answer may have. */
  maxTokens: number;
  temperature?: number;
};

/** A request for an answer by one call of a tool. */
export type ModelRequest = ChatRequest & {
  tool: {
    name: string;
    description: string;
    /** The JSON Schema of its input. */
    schema: object;
  };
};

/** The numbers that the model says; undefined if it does not say a credible number. */
export type SaidTokens = { inputTokens: number | undefined; outputTokens: number | undefined };

/** What a model has answered. Its parts are as the model says, and not checked. */
export type ModelAnswer = SaidTokens & {
  kind: 'answer';
  /**
   * Why the model has ended: by itself, at a limit of its length, because it or a filter refuses, because its context is full, or with a
   * call that it has not written right. Everything else is `other`: a call of a tool, a new reason, or a response that nobody can read.
   */
  stop: 'end' | 'length' | 'refused' | 'too_long' | 'malformed' | 'other';
  calls: readonly { name: unknown; input: unknown }[];
};

export type ModelReply =
  | ModelAnswer
  /**
   * There was no answer, and a later attempt may succeed. With `mayCost`, the model may have worked, and its work is billed,
   * although its answer was lost.
   */
  | {
      kind: 'retry';
      reason: 'throttled' | 'failed' | 'timeout' | 'network';
      mayCost: boolean;
      message: string;
    }
  /** The model refuses the request because it is too long. The attempt costs nothing. */
  | { kind: 'too_long'; message: string }
  /** The model refuses this request for another reason, and costs nothing. It may accept other requests. */
  | { kind: 'invalid'; message: string }
  /** The model cannot be used at all: it is unknown, the account may not use it, or it cannot answer in this form. */
  | { kind: 'unavailable'; message: string };

/** How a streamed answer has ended. */
export type StreamEnd =
  /**
   * The whole answer was given to the caller.
   * `stop`: the model has ended by itself, at a limit of its length, or because it or a filter refuses.
   */
  | (SaidTokens & { kind: 'answer'; stop: 'end' | 'length' | 'refused' })
  /** A stream that breaks after its first text is `retry` with `mayCost`. */
  | Exclude<ModelReply, { kind: 'answer' }>;

export type ModelClient = {
  listed: readonly Model[];
  /**
   * Makes one attempt. The caller repeats it, because each attempt may cost.
   * @param signal stops the attempt. The model may have worked before
   * @throws the reason of the signal if it has stopped the request
   */
  converse(request: ModelRequest, signal?: AbortSignal): Promise<ModelReply>;
  /**
   * Makes one attempt, and gives the text to the caller while it comes.
   * @param onText gets the text in its order. The next text waits for it. No text is empty, or ends within a character
   * @param signal ends the attempt. It has no other time limit
   * @throws the reason of the signal, and what `onText` throws. The attempt has ended then, and its work may be billed
   */
  stream(request: ChatRequest, onText: OnText, signal: AbortSignal): Promise<StreamEnd>;
};

export type OnText = (text: string) => Promise<void> | void;

/** The list itself. Only development sets it: the variables of a function on AWS have 4 KB. */
export const modelsVariable = 'MODELS';

/** The name of the file with the list, beside the code of the function. */
export const modelsFileVariable = 'MODELS_FILE';
export const modelsFile = 'models.json';

/**
 * @param readFile reads a file beside the code of the function
 * @returns the models that the environment lists. CDK has checked the settings. @throws SyntaxError if it is not JSON
 */
export function readModels(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (name: string) => string,
): readonly Model[] {
  const { [modelsVariable]: list, [modelsFileVariable]: file } = env;
  if (list) return JSON.parse(list);
  return file ? JSON.parse(readFile(file)) : [];
}

/** @returns the variable of these models, for development; none without models */
export const modelVariables = (models: readonly Model[]): Record<string, string> =>
  models.length === 0 ? {} : { [modelsVariable]: JSON.stringify(models) };

/** A function that may not use models gets this client. IAM would refuse its requests. */
export const noModels: ModelClient = { listed: [], converse: notDeclared, stream: notDeclared };

function notDeclared(): Promise<never> {
  return Promise.reject(new Error('the use of models is not declared'));
}
