import { Annotations, NestedStack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { addDashboard } from './dashboard.ts';
import type { Dispatcher } from './dispatcher.ts';
import { concurrency, gateway, logMetric, messageCount, oldestAge, period } from './metrics.ts';
import type { Scheduler } from './scheduler.ts';
import type { WorkerFunction } from './worker-function.ts';

const maxLagSeconds = 10 * 60;

/** Attempts of one worker that may fail in five minutes. They are repeated, so a few do no harm. */
const maxWorkerErrors = 10;

type Props = {
  config: StageConfig;
  apiName: string;
  workers: readonly WorkerFunction[];
  dispatcher: Dispatcher;
  scheduler: Scheduler;
};

type AlarmRow = {
  id: string;
  metric: IMetric;
  /** The limit, which two of three periods must exceed. */
  threshold: number;
  /** Whether one period is enough. */
  isOnce?: true;
  /** Whether two of three periods must be below the limit instead, or have no data. */
  isBelow?: true;
  /** The consequence for users. */
  impact: string;
};

/** Alarms that name the consequence for users, and a dashboard. */
export class Monitoring extends Construct {
  /** The alarms that a bad release of an endpoint triggers. */
  readonly requestAlarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { config } = props;
    const action = new SnsAction(this.topic(config));
    const add = (rows: readonly AlarmRow[], parent: Construct) =>
      rows.map((row) => newAlarm(parent, row, action));
    // The alarms have stacks of their own, because a stack has at most 500 resources, and each worker has three alarms.
    const service = new NestedStack(this, 'Service', { description: 'Alarms of the service' });
    this.requestAlarms = add(requestRows(props), service);
    add([...limiterRows(config), ...accountRows(config), ...webhookRows(config)], service);
    add(workerRows(props), new NestedStack(this, 'Workers', { description: 'Alarms of the workers' }));
    addDashboard(this, props);
  }

  private topic({ stage, alarmEmail }: StageConfig): Topic {
    const topic = new Topic(this, 'Alarms', { displayName: `Platform API, ${stage}`, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
      }),
    );
    if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
    else {
      Annotations.of(this).addWarningV2(
        'platform-api:alarmEmail',
        `Nobody receives the alarms of the stage ${stage}. Set alarmEmail in ` +
          `stages/${stage}.json, or deploy with -c alarmEmail=you@example.com.`,
      );
    }
    return topic;
  }
}

function newAlarm(
  parent: Construct,
  { id, metric, threshold, isOnce, isBelow, impact }: AlarmRow,
  action: SnsAction,
): Alarm {
  const alarm = new Alarm(parent, id, {
    metric,
    threshold,
    comparisonOperator: isBelow
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 3,
    datapointsToAlarm: isOnce ? 1 : 2,
    treatMissingData: isBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    alarmDescription: `${impact} See docs/runbook.md#alarms.`,
  });
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}

const requestRows = ({ config: { stage }, apiName }: Props): AlarmRow[] => [
  {
    id: 'ServerErrors',
    // Its average is the share of failed requests ("Amazon API Gateway dimensions and metrics").
    metric: gateway(apiName, '5XXError', 'Average'),
    threshold: 0.01,
    impact: 'More than 1 % of requests fail with a 5xx. Callers have to retry.',
  },
  {
    id: 'Latency',
    // The gateway's latency would include the time that callers asked to wait.
    metric: logMetric(stage, 'durationMs', 'p99'),
    threshold: 3000,
    impact: '1 % of requests take more than three seconds. Callers wait, and may give up.',
  },
  {
    id: 'DatabaseErrors',
    metric: logMetric(stage, 'databaseErrors', 'Sum'),
    threshold: 10,
    impact: 'DynamoDB throttles or fails. Callers get 503 and have to retry.',
  },
];

const limiterRows = ({ stage }: StageConfig): AlarmRow[] => [
  {
    id: 'LimiterFailures',
    metric: logMetric(stage, 'limiterFailures', 'Sum'),
    threshold: 10,
    impact:
      'Limits of requests cannot be counted. Requests pass without them, so nothing stops a flood from one key.',
  },
];

const webhookRows = ({ stage }: StageConfig): AlarmRow[] => [
  {
    id: 'WebhooksDisabled',
    metric: logMetric(stage, 'webhooksDisabled', 'Sum'),
    threshold: 0,
    isOnce: true,
    impact: 'A webhook was disabled, because its receiver fails or is gone. It gets no more events.',
  },
];

/** The alarms for all functions in the account, because the limit applies to the account. */
const accountRows = ({ concurrencyLimit }: StageConfig): AlarmRow[] => [
  {
    id: 'Throttles',
    metric: LambdaFunction.metricAllThrottles({ period }),
    threshold: 0,
    impact:
      "Functions have reached the account's concurrency limit. Callers get 5xx although nothing is " +
      'broken.',
  },
  {
    id: 'Concurrency',
    metric: concurrency('ClaimedAccountConcurrency'),
    threshold: 0.8 * concurrencyLimit,
    impact: "80 % of the account's concurrency limit are used. Above 100 %, callers get 5xx.",
  },
];

const workerRows = ({ config: { stage }, workers, dispatcher, scheduler }: Props): AlarmRow[] => [
  {
    id: 'dispatcherDeadLetters',
    metric: messageCount(dispatcher.deadLetters),
    threshold: 0,
    impact: 'Changes were not sent to the workers that want them. What these do after a change is missing.',
  },
  {
    id: 'dispatcherLag',
    metric: dispatcher.handler.metric('IteratorAge', { period, statistic: 'Maximum' }),
    threshold: maxLagSeconds * 1000,
    impact: 'Changes have waited for more than ten minutes to be sent. All workers are late.',
  },
  {
    id: 'dispatcherErrors',
    metric: dispatcher.handler.metricErrors({ period, statistic: 'Sum' }),
    threshold: 0,
    impact: 'The dispatcher fails, and Lambda repeats it. Until it succeeds, the workers are late.',
  },
  {
    id: 'schedulerErrors',
    metric: scheduler.handler.metricErrors({ period, statistic: 'Sum' }),
    threshold: 0,
    impact: 'What is due is not sent. Timeouts are not stored, and no deleted project is purged.',
  },
  {
    id: 'schedulerStopped',
    metric: scheduler.handler.metricInvocations({ period, statistic: 'Sum' }),
    threshold: 1,
    isBelow: true,
    impact: 'The scheduler does not run. Timeouts are not stored, and no deleted project is purged.',
  },
  ...workers.flatMap(({ worker, deadLetters, queue }) => [
    {
      id: `${worker.id}DeadLetters`,
      metric: messageCount(deadLetters),
      threshold: 0,
      impact: worker.impact,
    },
    {
      id: `${worker.id}Lag`,
      metric: oldestAge(queue),
      threshold: maxLagSeconds,
      impact: `Changes have waited for more than ten minutes. If this continues: ${worker.impact}`,
    },
    {
      id: `${worker.id}Errors`,
      metric: logMetric(stage, 'failures', 'Sum', worker.id),
      threshold: maxWorkerErrors,
      impact: `Attempts fail and are repeated. If this continues: ${worker.impact}`,
    },
  ]),
];
