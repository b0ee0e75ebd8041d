/** The metrics that alarms and the dashboard show. */

import { Duration } from 'aws-cdk-lib';
import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { metricNamespace } from '../lib/base/log.ts';

export const period = Duration.minutes(5);

/** A metric in the log lines of the functions. */
export const logMetric = (stage: string, metricName: string, statistic: string, worker?: string): IMetric =>
  new Metric({
    namespace: metricNamespace(stage),
    metricName,
    statistic,
    period,
    ...(worker !== undefined && { dimensionsMap: { worker } }),
  });

/** A metric of the API's stage ("Amazon API Gateway dimensions and metrics", Developer Guide). */
export const gateway = (apiName: string, metricName: string, statistic: string): IMetric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    statistic,
    period,
    dimensionsMap: { ApiName: apiName, Stage: 'api' },
  });

/** A metric of the account in this region ("Monitoring concurrency", AWS Lambda Developer Guide). */
export const concurrency = (metricName: 'ClaimedAccountConcurrency' | 'ConcurrentExecutions'): IMetric =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Maximum', period });

/** A metric of one table ("DynamoDB metrics and dimensions", Amazon DynamoDB Developer Guide). */
export const tableThrottles = (tableName: string, of: 'Read' | 'Write', label: string): IMetric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: `${of}ThrottleEvents`,
    statistic: 'Sum',
    period,
    dimensionsMap: { TableName: tableName },
    label,
  });

/** A metric of the web ACL as a whole ("AWS WAF metrics and dimensions", AWS WAF Developer Guide). */
export const firewall = (region: string, metricName: 'AllowedRequests' | 'BlockedRequests'): IMetric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName,
    statistic: 'Sum',
    period,
    dimensionsMap: { Region: region, WebACL: 'Acl', Rule: 'ALL' },
  });

export const messageCount = (queue: IQueue, label?: string): IMetric =>
  queue.metricApproximateNumberOfMessagesVisible({
    period,
    statistic: 'Maximum',
    ...(label !== undefined && { label }),
  });

export const oldestAge = (queue: IQueue, label?: string): IMetric =>
  queue.metricApproximateAgeOfOldestMessage({
    period,
    statistic: 'Maximum',
    ...(label !== undefined && { label }),
  });
