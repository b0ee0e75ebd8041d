import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { stackName } from './names.ts';
import { aliasOf } from './secrets-key.ts';

/** @returns the key of the tables, if the stage has its own key: a named key, or a new key */
export function tableKey(scope: Construct, { stage, tables }: StageConfig): IKey | undefined {
  const { customerManagedKey: setting } = tables;
  if (typeof setting === 'string') return Key.fromKeyArn(scope, 'NamedKey', setting);
  return setting ? newTableKey(scope, stage) : undefined;
}

/**
 * A key of your own for the tables, their backups and the bucket of files. A role that may use DynamoDB or S3 may use the key
 * through them, as with the keys that AWS manages ("DynamoDB encryption at rest: usage notes", Amazon DynamoDB Developer
 * Guide), so a role, or a link that it signs, needs no permission for the key. The key outlives the stack, because nobody can
 * read the tables or their backups without it.
 */
function newTableKey(scope: Construct, stage: string): Key {
  const key = new Key(scope, 'Key', {
    alias: stackName(stage),
    description: `Tables and files of ${stackName(stage)}`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  aliasOf(key).applyRemovalPolicy(RemovalPolicy.RETAIN);
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'ThroughDynamoDbAndS3',
      principals: [new AnyPrincipal()],
      actions: [
        'kms:Encrypt',
        'kms:Decrypt',
        'kms:ReEncrypt*',
        'kms:GenerateDataKey*',
        'kms:CreateGrant',
        'kms:DescribeKey',
      ],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': Aws.ACCOUNT_ID,
          'kms:ViaService': ['dynamodb', 's3'].map((service) => `${service}.${Aws.REGION}.amazonaws.com`),
        },
      },
    }),
  );
  return key;
}
