/** The models that a stage lists: their ARNs, and what functions need for them. */

import { Aws } from 'aws-cdk-lib';
import type { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { modelVariables } from '../lib/models/models.ts';
import type { StageConfig } from './config.ts';
import { placeOf } from './model-settings.ts';
import { allow } from './service-function.ts';

type ListedModel = StageConfig['models'][number];

/**
 * A profile needs the permission for itself, and for its model in each region that may answer. A global profile also needs the
 * model without a region ("Prerequisites for inference profiles" and "Global cross-Region inference", Amazon Bedrock User Guide).
 */
function arnsOf({ id, regions = [] }: ListedModel): string[] {
  const place = placeOf(id);
  if (place === undefined) return [modelArn(Aws.REGION, id)];
  const model = id.slice(place.length + 1);
  return [
    `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${id}`,
    ...regions.map((region) => modelArn(region, model)),
    ...(place === 'global' ? [modelArn('', model)] : []),
  ];
}

const modelArn = (region: string, id: string): string =>
  `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${id}`;

/** @returns the permission of a worker that asks models; none if the stage lists no model */
export const modelsPolicy = (
  { models: usesModels }: { models: boolean },
  { models }: StageConfig,
): Record<string, PolicyDocument> =>
  usesModels && models.length > 0
    ? { models: allow(['bedrock:InvokeModel'], [...new Set(models.flatMap(arnsOf))]) }
    : {};

export const modelsVariables = (
  { models: usesModels }: { models: boolean },
  { models }: StageConfig,
): Record<string, string> => (usesModels ? modelVariables(models) : {});
