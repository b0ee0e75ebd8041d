import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** An encrypted queue that keeps messages for as long as SQS can ("Amazon SQS message quotas"). */
export const newQueue = (scope: Construct, id: string, settings: QueueProps = {}): Queue =>
  new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    ...settings,
  });
