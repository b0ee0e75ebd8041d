/** The models of `npm run dev`: two that run here, and one of the developer's, for example of Ollama. */

import { defaultLimits, limitsVariable, type StageLimits } from '../../lib/base/stage-limits.ts';
import { type Model, modelVariables } from '../../lib/models/models.ts';
import { refuseTarget } from '../../lib/network/addresses.ts';
import { UsageError } from '../shared/options.ts';
import { localModel } from './judge.ts';
import type { LocalJudge } from './model-server.ts';

/** Its requests have the form of OpenAI's chat completions, as those of most models outside of AWS. */
export const extractModel = (endpoint: string): Model => ({
  id: 'local.extract',
  inputUsdPerMillionTokens: 1,
  outputUsdPerMillionTokens: 4,
  endpoint: { baseUrl: `${endpoint}/v1`, model: 'local.extract' },
});

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @returns the model of `PLATFORM_MODEL_URL` (the URL before `/chat/completions`), `PLATFORM_MODEL` and `PLATFORM_MODEL_KEY`
 * @throws UsageError if they name no model that can be reached
 */
export function ownModels({
  PLATFORM_MODEL_URL: baseUrl,
  PLATFORM_MODEL: model,
  PLATFORM_MODEL_KEY: key,
}: Variables): Model[] {
  if (!baseUrl && !model) return [];
  if (!baseUrl || !model) throw new UsageError('Set both PLATFORM_MODEL_URL and PLATFORM_MODEL, or none.');
  const fault = URL.canParse(baseUrl)
    ? refuseTarget(new URL(baseUrl), { allowLoopback: true })
    : 'must be a URL';
  if (fault !== undefined)
    throw new UsageError(`PLATFORM_MODEL_URL ${fault}, or be on this machine, as http://127.0.0.1:11434/v1.`);
  return [
    {
      id: model,
      inputUsdPerMillionTokens: 0,
      outputUsdPerMillionTokens: 0,
      endpoint: { baseUrl, model, ...(key && { key: { variable: 'PLATFORM_MODEL_KEY' } }) },
    },
  ];
}

/** US dollars. */
const modelCostUsd = 10;

/** The limits of a stage with models. */
const localLimits: StageLimits = {
  live: { ...defaultLimits.live, quotas: { ...defaultLimits.live.quotas, modelCostUsd } },
  test: { ...defaultLimits.test, quotas: { ...defaultLimits.test.quotas, modelCostUsd } },
};

/**
 * @param endpoint of the stand-in. Functions that only list the models need none
 * @returns the variables of functions that may name the models
 */
export const localModelVariables = (
  env: Variables = {},
  endpoint = 'http://127.0.0.1',
): Record<string, string> => ({
  ...modelVariables([extractModel(endpoint), localModel, ...ownModels(env)]),
  [limitsVariable]: JSON.stringify(localLimits),
});

export const judgeVariables = (
  { endpoint }: Pick<LocalJudge, 'endpoint'>,
  env: Variables = {},
): Record<string, string> => ({
  ...localModelVariables(env, endpoint),
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoint,
});
