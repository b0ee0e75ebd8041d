import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

/**
 * A log group with the stage's retention, kept or deleted with the stack as the stage says.
 *
 * @param logGroupName only where AWS asks for a certain one. A kept group is in the way of another with its name
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
