import { Aws, CfnOutput, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type FileAction, filesVariable, keysOf } from '../lib/base/files.ts';
import type { StageConfig } from './config.ts';
import { bucketName } from './names.ts';

/**
 * The bucket for data that is too large for a table: files of exports, and uploaded files. The bucket keeps a file for at most
 * two days. A bucket is deleted with its stack only if it is empty.
 */
export class FilesBucket extends Construct {
  /** @param key encrypts the files; default: the key of S3 */
  constructor(scope: Construct, id: string, { stage, tables }: StageConfig, key?: IKey) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      bucketName: nameOf(stage),
      ...(key
        ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // A worker removes the files earlier. This rule removes the files that a killed worker has left.
      lifecycleRules: [
        { expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      // The console sends files to links, which are the only credential. A link works from everywhere, so this origin may be any.
      cors: [
        { allowedOrigins: ['*'], allowedMethods: [HttpMethods.PUT], allowedHeaders: ['*'], maxAge: 3600 },
      ],
      removalPolicy: tables.onRemoval === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason:
        'Its files live for a day, and only functions and short links read them. The log of requests says who got a link.',
    });
    new CfnOutput(this, filesOutput, { value: bucket.bucketName }).overrideLogicalId(filesOutput);
  }
}

/** The output of the data stack with the bucket's name. */
const filesOutput = 'FilesBucket';

/** The name is fixed, like the names of the tables. A bucket's name is unique among all accounts and regions. */
const nameOf = (stage: string): string => bucketName(stage, { account: Aws.ACCOUNT_ID, region: Aws.REGION });

/** @returns the origin of the links to the files of a stage */
export const filesOrigin = (stage: string): string =>
  `https://${nameOf(stage)}.s3.${Aws.REGION}.${Aws.URL_SUFFIX}`;

const permissions: Readonly<Record<FileAction, string>> = {
  put: 's3:PutObject',
  remove: 's3:DeleteObject',
  read: 's3:GetObject',
  // A link has the permissions of its signer.
  link: 's3:GetObject',
  uploadLink: 's3:PutObject',
};

/** @returns the permissions of a function that uses files */
export const filesPolicy = (
  actions: readonly FileAction[],
  stage: string,
): Record<string, PolicyDocument> => {
  if (actions.length === 0) return {};
  const statements = actions.map(
    (action) =>
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: [permissions[action]],
        resources: [`arn:${Aws.PARTITION}:s3:::${nameOf(stage)}/${keysOf(action)}`],
      }),
  );
  return { files: new PolicyDocument({ statements }) };
};

export const filesVariables = (actions: readonly FileAction[], stage: string): Record<string, string> =>
  actions.length === 0 ? {} : { [filesVariable]: nameOf(stage) };
