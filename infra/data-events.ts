import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnTrail } from 'aws-cdk-lib/aws-cloudtrail';
import { PolicyStatement, type PolicyStatementProps, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { dataStackName } from './names.ts';

type Props = { config: StageConfig; tableArns: string[] };

/**
 * A trail of CloudTrail with every read and write of the tables: who, when, and the keys of the items. Its bucket is kept
 * when the stack is deleted ("Logging data events", AWS CloudTrail User Guide).
 */
export class DataEvents extends Construct {
  constructor(scope: Construct, id: string, { config, tableArns }: Props) {
    super(scope, id);
    const stack = Stack.of(this);
    const trailName = dataStackName(config.stage);
    const sourceArn = stack.formatArn({ service: 'cloudtrail', resource: 'trail', resourceName: trailName });
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(config.logs.retentionDays) }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // "Amazon S3 bucket policy for CloudTrail", AWS CloudTrail User Guide.
    const allow = (statement: PolicyStatementProps) =>
      bucket.addToResourcePolicy(
        new PolicyStatement({ ...statement, principals: [new ServicePrincipal('cloudtrail.amazonaws.com')] }),
      );
    const fromTrail = { 'aws:SourceArn': sourceArn };
    allow({
      actions: ['s3:GetBucketAcl'],
      resources: [bucket.bucketArn],
      conditions: { StringEquals: fromTrail },
    });
    allow({
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects(`AWSLogs/${stack.account}/*`)],
      conditions: { StringEquals: { ...fromTrail, 's3:x-amz-acl': 'bucket-owner-full-control' } },
    });
    const trail = new CfnTrail(this, 'Trail', {
      trailName,
      isLogging: true,
      s3BucketName: bucket.bucketName,
      enableLogFileValidation: true,
      advancedEventSelectors: [
        {
          name: 'Reads and writes of the tables',
          fieldSelectors: [
            { field: 'eventCategory', equalTo: ['Data'] },
            { field: 'resources.type', equalTo: ['AWS::DynamoDB::Table'] },
            { field: 'resources.ARN', equalTo: tableArns },
          ],
        },
      ],
    });
    if (bucket.policy) trail.node.addDependency(bucket.policy);
  }
}
