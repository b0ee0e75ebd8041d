import { Aws } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { tableNameIn, tableNames } from '../lib/dynamodb/tables.ts';
import type { StageConfig } from './config.ts';
import type { Dispatcher } from './dispatcher.ts';
import {
  concurrency,
  firewall,
  gateway,
  logMetric,
  messageCount,
  oldestAge,
  period,
  tableThrottles,
} from './metrics.ts';
import { stackName } from './names.ts';
import type { WorkerFunction } from './worker-function.ts';

type Props = {
  config: StageConfig;
  apiName: string;
  workers: readonly WorkerFunction[];
  dispatcher: Dispatcher;
};

const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
  new GraphWidget({ title, left, right, width: 12, height: 6 });

/** Adds one page: the API, the functions, the workers with their queues, the tables, the firewall and the account's limit. */
export function addDashboard(scope: Construct, { config, apiName, workers, dispatcher }: Props): void {
  const { stage, waf } = config;
  const ofWorkers = (metric: (worker: WorkerFunction) => IMetric) => workers.map(metric);
  const throttles = (of: 'Read' | 'Write') =>
    tableNames.map((table) => tableThrottles(tableNameIn(stackName(stage), table), of, table));
  new Dashboard(scope, 'Dashboard', {
    dashboardName: `platform-api-${stage}`,
    widgets: [
      [new TextWidget({ markdown: `# Platform API, ${stage}`, width: 24, height: 1 })],
      [
        graph(
          'Requests and errors',
          [gateway(apiName, 'Count', 'Sum')],
          [gateway(apiName, '4XXError', 'Sum'), gateway(apiName, '5XXError', 'Sum')],
        ),
        graph('Latency', [
          gateway(apiName, 'Latency', 'p50'),
          gateway(apiName, 'Latency', 'p99'),
          gateway(apiName, 'IntegrationLatency', 'p99'),
        ]),
      ],
      [
        graph(
          'In the functions of endpoints',
          [logMetric(stage, 'durationMs', 'p50'), logMetric(stage, 'durationMs', 'p99')],
          [logMetric(stage, 'coldStarts', 'Sum')],
        ),
        graph('Failures', [
          logMetric(stage, 'serverErrors', 'Sum'),
          logMetric(stage, 'databaseErrors', 'Sum'),
          logMetric(stage, 'limiterFailures', 'Sum'),
        ]),
      ],
      [
        graph(
          'Workers: failed attempts',
          ofWorkers(({ worker }) => logMetric(stage, 'failures', 'Sum', worker.id)),
        ),
        graph(
          'Workers: time for a notice',
          ofWorkers(({ worker }) => logMetric(stage, 'durationMs', 'p99', worker.id)),
        ),
      ],
      [
        graph(
          'Queues: waiting',
          ofWorkers(({ queue, worker }) => messageCount(queue, worker.id)),
        ),
        graph(
          'Queues: age of the oldest, seconds',
          ofWorkers(({ queue, worker }) => oldestAge(queue, worker.id)),
          [dispatcher.handler.metric('IteratorAge', { period, statistic: 'Maximum', label: 'streams, ms' })],
        ),
      ],
      [
        graph('Dead letters', [
          ...ofWorkers(({ deadLetters, worker }) => messageCount(deadLetters, worker.id)),
          messageCount(dispatcher.deadLetters, 'dispatcher'),
        ]),
        graph('Throttled tables', throttles('Read'), throttles('Write')),
      ],
      [
        graph(
          'Concurrency of the account',
          [concurrency('ConcurrentExecutions'), concurrency('ClaimedAccountConcurrency')],
          [LambdaFunction.metricAllThrottles({ period })],
        ),
        ...(waf
          ? [
              graph(
                'Firewall',
                [firewall(Aws.REGION, 'AllowedRequests')],
                [firewall(Aws.REGION, 'BlockedRequests')],
              ),
            ]
          : []),
      ],
    ],
  });
}
