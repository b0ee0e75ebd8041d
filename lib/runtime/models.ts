/**
 * A stage lists models with their prices, and workers send requests to them. On AWS, Amazon Bedrock runs them
 * (lib/runtime/bedrock.ts); on this machine, a stand-in does (scripts/local/judge.ts).
 */

export type Model = {
  /** The id of a model of Bedrock, or of an inference profile. */
  id: string;
  inputUsdPerMillionTokens: number;
  outputUsdPerMillionTokens: number;
  /** By default, a limit of the request in bytes applies. */
  maxInputTokens?: number;
};

export type ModelRequest = {
  modelId: string;
  body: string;
};

export type ModelReply =
  /** A response of the model. `body` is parsed JSON; undefined if it is not JSON, or too large. */
  | { kind: 'answer'; body: unknown }
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
  /** The request is too long for the model, which refuses it, and costs nothing. */
  | { kind: 'too_long'; message: string }
  /** The model refuses this request for another reason, and costs nothing. It may accept other requests. */
  | { kind: 'invalid'; message: string }
  /** The model cannot be used at all: it is unknown, the account may not use it, or it cannot answer in this form. */
  | { kind: 'unavailable'; message: string };

export type ModelClient = {
  listed: readonly Model[];
  /**
   * Makes one attempt. The caller repeats it, because each attempt may cost.
   * @param signal stops the attempt. The model may have worked before
   * @throws the reason of the signal if it has stopped the request
   */
  converse(request: ModelRequest, signal?: AbortSignal): Promise<ModelReply>;
};

export const modelsVariable = 'MODELS';

/** @returns the models that the environment lists. CDK has checked the settings. @throws SyntaxError if it is not JSON */
export const readModels = (env: Readonly<Record<string, string | undefined>>): readonly Model[] =>
  env[modelsVariable] ? JSON.parse(env[modelsVariable]) : [];

/** @returns the variable of these models; none without models. A function has 4 KB of variables, so each model is short */
export const modelVariables = (models: readonly Model[]): Record<string, string> =>
  models.length === 0
    ? {}
    : {
        [modelsVariable]: JSON.stringify(
          models.map(({ id, inputUsdPerMillionTokens, outputUsdPerMillionTokens, maxInputTokens }) => ({
            id,
            inputUsdPerMillionTokens,
            outputUsdPerMillionTokens,
            ...(maxInputTokens !== undefined && { maxInputTokens }),
          })),
        ),
      };

/** A function that may not use models gets this client. IAM would refuse its requests. */
export const noModels: ModelClient = {
  listed: [],
  converse: () => Promise.reject(new Error('the use of models is not declared')),
};
