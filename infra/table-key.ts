import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { stackName } from './names.ts';

/**
 * A key of your own for the tables and their backups. Who may use DynamoDB may use it through DynamoDB, as with the key
 * that AWS manages ("DynamoDB encryption at rest: usage notes", Amazon DynamoDB Developer Guide). It outlives the stack,
 * because nobody can read the tables or their backups without it.
 */
export function newTableKey(scope: Construct, stage: string): Key {
  const key = new Key(scope, 'Key', {
    alias: stackName(stage),
    description: `Tables of ${stackName(stage)}`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'ThroughDynamoDb',
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
          'kms:ViaService': `dynamodb.${Aws.REGION}.amazonaws.com`,
        },
      },
    }),
  );
  return key;
}
