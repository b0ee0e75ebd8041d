import { Annotations, Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  TextWidget,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { metricNamespace } from '../lib/log.ts';
import type { StageConfig } from './config.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Scheduler } from './scheduler.ts';
import type { WorkerFunction } from './worker-function.ts';

const period = Duration.minutes(5);
const maxLagSeconds = 10 * 60;

type Props = {
  config: StageConfig;
  api: RestApi;
  workers: readonly WorkerFunction[];
  dispatcher: Dispatcher;
  scheduler: Scheduler;
};

type AlarmRow = {
  id: string;
  metric: IMetric;
  /** The limit, which two of three periods must exceed. */
  threshold: number;
  /** What users lose. */
  impact: string;
};

const deadLettersIn = ({ deadLetters }: { deadLetters: Queue }) =>
  deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' });

/** Alarms that say what users lose, and a dashboard. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { config, api, workers, dispatcher, scheduler }: Props) {
    super(scope, id);
    const topic = new Topic(this, 'Alarms', {
      displayName: `Platform API, ${config.stage}`,
      enforceSSL: true,
    });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
      }),
    );
    if (config.alarmEmail) topic.addSubscription(new EmailSubscription(config.alarmEmail));
    else {
      Annotations.of(this).addWarningV2(
        'platform-api:alarmEmail',
        `Nobody receives the alarms of the stage ${config.stage}. Set alarmEmail in ` +
          `stages/${config.stage}.json, or deploy with -c alarmEmail=you@example.com.`,
      );
    }

    const own = (metricName: string, statistic: string) =>
      new Metric({ namespace: metricNamespace(config.stage), metricName, statistic, period });
    const gateway = (metricName: string, statistic: string) =>
      new Metric({
        namespace: 'AWS/ApiGateway',
        metricName,
        statistic,
        period,
        dimensionsMap: { ApiName: api.restApiName, Stage: api.deploymentStage.stageName },
      });
    const requests = gateway('Count', 'Sum');
    // Of all functions in the account, because the limit applies to the account.
    const throttles = LambdaFunction.metricAllThrottles({ period });

    for (const row of [
      {
        id: 'ServerErrors',
        // Its average is the share of failed requests ("Amazon API Gateway dimensions and metrics").
        metric: gateway('5XXError', 'Average'),
        threshold: 0.01,
        impact: 'More than 1 % of requests fail with a 5xx. Callers have to retry.',
      },
      {
        id: 'Latency',
        // The gateway's latency would include the time that callers asked to wait.
        metric: own('durationMs', 'p99'),
        threshold: 3000,
        impact: '1 % of requests take more than three seconds. Callers wait, and may give up.',
      },
      {
        id: 'Throttles',
        metric: throttles,
        threshold: 0,
        impact:
          "Functions have reached the account's concurrency limit. Callers get 5xx although nothing is " +
          'broken.',
      },
      {
        id: 'DatabaseErrors',
        metric: own('databaseErrors', 'Sum'),
        threshold: 10,
        impact: 'DynamoDB throttles or fails. Callers get 503 and have to retry.',
      },
      {
        id: 'dispatcherDeadLetters',
        metric: deadLettersIn(dispatcher),
        threshold: 0,
        impact:
          'Changes were not sent to the workers that want them. What these do after a change is missing.',
      },
      {
        id: 'dispatcherLag',
        metric: dispatcher.handler.metric('IteratorAge', { period, statistic: 'Maximum' }),
        threshold: maxLagSeconds * 1000,
        impact: 'Changes have waited for more than ten minutes to be sent. All workers are late.',
      },
      {
        id: 'schedulerErrors',
        metric: scheduler.handler.metricErrors({ period, statistic: 'Sum' }),
        threshold: 0,
        impact: 'What is due is not sent. Timeouts are not stored, and no deleted project is purged.',
      },
      ...workers.flatMap(({ worker, deadLetters, queue }) => [
        {
          id: `${worker.id}DeadLetters`,
          metric: deadLettersIn({ deadLetters }),
          threshold: 0,
          impact: worker.impact,
        },
        {
          id: `${worker.id}Lag`,
          metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
          threshold: maxLagSeconds,
          impact: `Changes have waited for more than ten minutes. If this continues: ${worker.impact}`,
        },
      ]),
    ] satisfies AlarmRow[]) {
      const { id: alarmId, metric, threshold, impact } = row;
      const alarm = new Alarm(this, alarmId, {
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: 3,
        datapointsToAlarm: 2,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        alarmDescription: `${impact} See docs/runbook.md#alarms.`,
      });
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }

    const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
      new GraphWidget({ title, left, right, width: 12, height: 6 });
    new Dashboard(this, 'Dashboard', {
      dashboardName: `platform-api-${config.stage}`,
      widgets: [
        [new TextWidget({ markdown: `# Platform API, ${config.stage}`, width: 24, height: 1 })],
        [
          graph('Requests and errors', [requests], [gateway('4XXError', 'Sum'), gateway('5XXError', 'Sum')]),
          graph('Latency', [gateway('Latency', 'p50'), gateway('Latency', 'p99')]),
        ],
        [
          graph(
            'In the function',
            [own('durationMs', 'p50'), own('durationMs', 'p99')],
            [own('coldStarts', 'Sum')],
          ),
          graph('Failures', [own('serverErrors', 'Sum'), own('databaseErrors', 'Sum')], [throttles]),
        ],
      ],
    });
  }
}
