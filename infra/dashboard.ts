import { Aws } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { tableNameIn, tableNames } from '../lib/dynamodb/tables.ts';
import type { StageConfig } from './config.ts';
import type { Dispatcher } from './dispatcher.ts';
import { concurrency, firewall, gateway, oldest, own, period, tableThrottles, waiting } from './metrics.ts';
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

/** One page: the API, the functions, the workers with their queues, the tables, the firewall and the account's limit. */
export function addDashboard(scope: Construct, { config, apiName, workers, dispatcher }: Props): void {
  const { stage, waf } = config;
  const each = (metric: (worker: WorkerFunction) => IMetric) => workers.map(metric);
  const throttled = (of: 'Read' | 'Write') =>
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
          [own(stage, 'durationMs', 'p50'), own(stage, 'durationMs', 'p99')],
          [own(stage, 'coldStarts', 'Sum')],
        ),
        graph('Failures', [
          own(stage, 'serverErrors', 'Sum'),
          own(stage, 'databaseErrors', 'Sum'),
          own(stage, 'limiterFailures', 'Sum'),
        ]),
      ],
      [
        graph(
          'Workers: failed attempts',
          each(({ worker }) => own(stage, 'failures', 'Sum', worker.id)),
        ),
        graph(
          'Workers: time for a notice',
          each(({ worker }) => own(stage, 'durationMs', 'p99', worker.id)),
        ),
      ],
      [
        graph(
          'Queues: waiting',
          each(({ queue, worker }) => waiting(queue, worker.id)),
        ),
        graph(
          'Queues: age of the oldest, seconds',
          each(({ queue, worker }) => oldest(queue, worker.id)),
          [dispatcher.handler.metric('IteratorAge', { period, statistic: 'Maximum', label: 'streams, ms' })],
        ),
      ],
      [
        graph('Dead letters', [
          ...each(({ deadLetters, worker }) => waiting(deadLetters, worker.id)),
          waiting(dispatcher.deadLetters, 'dispatcher'),
        ]),
        graph('Throttled tables', throttled('Read'), throttled('Write')),
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
