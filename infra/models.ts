/** The models that a stage lists: the file with them beside the code of functions, their ARNs, and the ARNs of their keys. */

import { Aws } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { modelsFile, modelsFileVariable } from '../lib/models/models.ts';
import type { Worker } from '../lib/workers/worker.ts';
import type { StageConfig } from './config.ts';
import { type ListedModel, modelOf, placeOf } from './model-settings.ts';

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

/** Secrets Manager adds six characters to the name of a secret ("What's in a Secrets Manager secret?", AWS Secrets Manager User Guide). */
const secretArn = (name: string): string =>
  `arn:${Aws.PARTITION}:secretsmanager:${Aws.REGION}:${Aws.ACCOUNT_ID}:secret:${name}-??????`;

const parameterArn = (name: string): string =>
  `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter/${name.replace(/^\//, '')}`;

/** @returns the permission of a worker that asks models; none if the stage lists no model */
export function modelsPolicy(
  { models: usesModels, streams }: Pick<Worker, 'models' | 'streams'>,
  { models }: StageConfig,
): Record<string, PolicyDocument> {
  if (!usesModels) return {};
  const statement = (actions: string[], arns: readonly string[]) =>
    arns.length > 0 ? [new PolicyStatement({ actions, resources: [...new Set(arns)] })] : [];
  const invoke = ['bedrock:InvokeModel', ...(streams ? ['bedrock:InvokeModelWithResponseStream'] : [])];
  const statements = [
    ...statement(
      invoke,
      models.flatMap((model) => (model.baseUrl === undefined ? arnsOf(model) : [])),
    ),
    ...statement(
      ['secretsmanager:GetSecretValue'],
      models.flatMap(({ secretName }) => (secretName === undefined ? [] : [secretArn(secretName)])),
    ),
    ...statement(
      ['ssm:GetParameter'],
      models.flatMap(({ parameterName }) =>
        parameterName === undefined ? [] : [parameterArn(parameterName)],
      ),
    ),
  ];
  return statements.length > 0 ? { models: new PolicyDocument({ statements }) } : {};
}

/**
 * The variables of a function have 4 KB, and fifty models need more. So the list is a file beside the code.
 * @returns the files by name; none for a function that does not use models, or if the stage lists none
 */
export const modelsFiles = (
  { models: usesModels }: { models: boolean },
  { models }: StageConfig,
): Record<string, string> =>
  usesModels && models.length > 0 ? { [modelsFile]: JSON.stringify(models.map(modelOf)) } : {};

export const modelsVariables = (
  { models: usesModels }: { models: boolean },
  { models }: StageConfig,
): Record<string, string> => (usesModels && models.length > 0 ? { [modelsFileVariable]: modelsFile } : {});
