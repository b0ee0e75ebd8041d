import { usdOf } from '../base/money.ts';
import type { BuiltRequest } from './request/build.ts';
import type { ModelRequest } from './schema/reply.ts';

/** @returns the request to a model, as a dry run shows it */
export const publicRequest = ({ request, most }: Pick<BuiltRequest, 'request' | 'most'>): ModelRequest => ({
  modelId: request.modelId,
  system: [...request.system],
  messages: request.messages.map(({ role, content }) => ({ role, content: [...content] })),
  maxTokens: request.maxTokens,
  ...(request.temperature !== undefined && { temperature: request.temperature }),
  highestCostUsd: usdOf(most.costMicroUsd),
});
