import { CfnOutput, Fn, RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { secretsKeyVariable } from '../lib/secret-box.ts';
import type { StageConfig } from './config.ts';
import { dataStackName, stackName } from './names.ts';

const output = 'SecretsKeyArn';

/**
 * The key of the secrets that the service needs again, such as those of webhooks. Without it, the tables alone cannot sign
 * anything. It is kept for as long as the tables.
 */
export function newSecretsKey(scope: Construct, { stage, tables }: StageConfig): void {
  const key = new Key(scope, 'SecretsKey', {
    alias: `${stackName(stage)}-secrets`,
    description: `Secrets in the tables of ${stackName(stage)}`,
    enableKeyRotation: true,
    removalPolicy: tables.onRemoval === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  new CfnOutput(scope, output, { value: key.keyArn }).overrideLogicalId(output);
}

/** A key's ARN has a random part, so it is read from the outputs of the stack that has the data. */
const keyArn = ({ stage }: StageConfig): string => Fn.getStackOutput(dataStackName(stage), output).toString();

/** Lets a function use the key for one thing, and only for secrets of webhooks. */
export const useSecretsKey = (action: 'kms:Encrypt' | 'kms:Decrypt', config: StageConfig): PolicyDocument =>
  new PolicyDocument({
    statements: [
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: [action],
        resources: [keyArn(config)],
        conditions: { Null: { 'kms:EncryptionContext:webhook': 'false' } },
      }),
    ],
  });

export const secretsVariables = (config: StageConfig): Record<string, string> => ({
  [secretsKeyVariable]: keyArn(config),
});
