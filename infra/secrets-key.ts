import { CfnOutput, Fn, RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { secretsKeyVariable } from '../lib/runtime/secret-box.ts';
import type { StageConfig } from './config.ts';
import { dataStackName, stackName } from './names.ts';

const output = 'SecretsKeyArn';

/**
 * The key of the secrets that the service needs again, such as those of webhooks. Without it, the tables alone cannot sign
 * anything. It is kept for as long as the tables, and its alias, too: a stack that is deployed again without naming the key
 * fails, and does not go on with a new key.
 */
export function newSecretsKey(scope: Construct, { stage, tables, secretsKeyArn }: StageConfig): void {
  if (secretsKeyArn) {
    outputArn(scope, secretsKeyArn);
    return;
  }
  const removalPolicy = tables.onRemoval === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  const key = new Key(scope, 'SecretsKey', {
    alias: `${stackName(stage)}-secrets`,
    description: `Secrets in the tables of ${stackName(stage)}`,
    enableKeyRotation: true,
    removalPolicy,
  });
  aliasOf(key).applyRemovalPolicy(removalPolicy);
  outputArn(scope, key.keyArn);
}

function outputArn(scope: Construct, value: string): void {
  new CfnOutput(scope, output, { value }).overrideLogicalId(output);
}

/** @throws Error if the key has no alias */
export function aliasOf(key: Key): Alias {
  const alias = key.node.tryFindChild('Alias');
  if (!(alias instanceof Alias)) throw new Error(`${key.node.path} has no alias`);
  return alias;
}

/** A key's ARN has a random part, so it is read from the outputs of the stack that has the data. */
const keyArn = ({ stage }: StageConfig): string => Fn.getStackOutput(dataStackName(stage), output).toString();

/** Lets a function use the key for one action, and only for secrets of webhooks. */
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
