import { functionClientConfig, type Variables } from './function-client.ts';
import { type ModelClient, readModels } from './models.ts';

/**
 * The client of Bedrock is loaded with the first use, because few functions use models.
 * @param env `MODELS` (JSON), region and credentials, and optionally `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`
 */
export function modelClientOf(env: Variables, nowMs: () => number): ModelClient {
  let client: Promise<ModelClient['converse']> | undefined;
  const open = async () => {
    const { openBedrock } = await import('./bedrock.ts');
    return openBedrock(functionClientConfig(env, 'bedrock-runtime'), { nowMs });
  };
  return {
    listed: readModels(env),
    async converse(request, signal) {
      client ??= open();
      return (await client)(request, signal);
    },
  };
}
