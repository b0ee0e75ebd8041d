import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

/**
 * A log group with the stage's retention, which is kept or deleted with the stack as the stage says.
 *
 * @param logGroupName only if AWS requires a certain name. A kept group would block another one with its name
 */
export const newLogGroup = (
  scope: Construct,
  id: string,
  { logs }: StageConfig,
  logGroupName?: string,
): LogGroup =>
  new LogGroup(scope, id, {
    retention: logs.retentionDays,
    removalPolicy: logs.onRemoval === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ...(logGroupName !== undefined && { logGroupName }),
  });
