/**
 * The models that a stage lists, with their prices, and how a worker asks one. On AWS, Amazon Bedrock runs them
 * (lib/runtime/bedrock.ts); on this machine, a stand-in does (scripts/local/judge.ts).
 */

/** A model, as the stage's settings list it. */
export type Model = {
  /** The id of a model of Bedrock, or of an inference profile. */
  id: string;
  inputUsdPerMillionTokens: number;
  outputUsdPerMillionTokens: number;
  /** Default: a limit of the request in bytes. */
  maxInputTokens?: number;
};

/** A request of Bedrock's Converse API. */
export type ModelRequest = {
  modelId: string;
  /** JSON. */
  body: string;
};

export type ModelReply =
  /** A response of the model. `body` is parsed JSON; undefined if it is not JSON, or too large. */
  | { kind: 'answer'; body: unknown }
  /**
   * There was no answer, and a later attempt may succeed. `mayCost`: the model may have worked, and its work is billed, although
   * its answer was lost.
   */
  | {
      kind: 'retry';
      reason: 'throttled' | 'failed' | 'timeout' | 'network';
      mayCost: boolean;
      message: string;
    }
  /** The model refuses this request, and costs nothing: the request is too long for it. */
  | { kind: 'too_long'; message: string }
  /** The model refuses this request for another reason, and costs nothing. It may accept other requests. */
  | { kind: 'invalid'; message: string }
  /** The model cannot be used at all: it is unknown, the account may not use it, or it cannot answer in this form. */
  | { kind: 'unavailable'; message: string };

export type ModelClient = {
  /** The models of the stage. */
  listed: readonly Model[];
  /**
   * Makes one attempt. The caller repeats it, because each attempt may cost.
   * @param signal stops it. Then the model may have worked
   * @throws the reason of the signal if it has stopped the request
   */
  converse(request: ModelRequest, signal?: AbortSignal): Promise<ModelReply>;
};

/** The environment variable with the list. */
export const modelsVariable = 'MODELS';

/** @returns the models that the environment lists. CDK has checked the settings. @throws SyntaxError if it is not JSON */
export const readModels = (env: Readonly<Record<string, string | undefined>>): readonly Model[] =>
  env[modelsVariable] ? JSON.parse(env[modelsVariable]) : [];

/** @returns the variable of these models; none without models. A function has 4 KB of variables, so each model is short. */
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

/** For a function that may ask no model: IAM would refuse it. */
export const noModels: ModelClient = {
  listed: [],
  converse: () => Promise.reject(new Error('the use of models is not declared')),
};
