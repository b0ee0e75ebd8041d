import { Aws, CfnOutput, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { downloadsVariable } from '../lib/downloads/types.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { downloadsExport } from './names.ts';
import { allow } from './service-function.ts';

const output = 'DownloadsBucket';

/**
 * The bucket of the downloads of the last releases. It is kept when the stack is deleted, because lock files name its files. CloudFormation
 * chooses its name, so that a stage can be deployed again beside the bucket that was kept.
 */
export class DownloadsBucket extends Construct {
  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason: 'Everything in it is public, and only the functions of the downloads read it.',
    });
    new CfnOutput(this, output, {
      value: bucket.bucketName,
      exportName: downloadsExport(stage),
    }).overrideLogicalId(output);
  }
}

type Declared = Pick<Endpoint, 'downloads'>;

export const downloadsPolicy = ({ downloads }: Declared, stage: string): Record<string, PolicyDocument> =>
  downloads
    ? {
        downloads: allow(
          ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
          [`arn:${Aws.PARTITION}:s3:::${Fn.importValue(downloadsExport(stage))}/*`],
        ),
      }
    : {};

export const downloadsVariables = ({ downloads }: Declared, stage: string): Record<string, string> =>
  downloads ? { [downloadsVariable]: Fn.importValue(downloadsExport(stage)) } : {};
