import { RemovalPolicy } from 'aws-cdk-lib';
import { LoggingFormat } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

/**
 * The log settings of a function. Lambda's own lines are JSON, too, so queries find their fields ("Configuring JSON and plain text
 * log formats", AWS Lambda Developer Guide).
 */
export const jsonLog = (logGroup: LogGroup) => ({ logGroup, loggingFormat: LoggingFormat.JSON });

/**
 * A log group with the stage's retention, which is kept or deleted with the stack as the stage says.
 *
 * @param logGroupName only if AWS requires a certain name. A kept group would block another group with its name
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
