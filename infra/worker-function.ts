import { Duration } from 'aws-cdk-lib';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { limitsVariable } from '../lib/base/stage-limits.ts';
import { maxReceives } from '../lib/workers/notice.ts';
import { placesOf } from '../lib/workers/places.ts';
import { deadLettersName, queueName, queueVariable, type Worker } from '../lib/workers/worker.ts';
import type { StageConfig } from './config.ts';
import { filesPolicy, filesVariables } from './files.ts';
import { modelsFiles, modelsPolicy, modelsVariables } from './models.ts';
import { newQueue } from './queue.ts';
import { secretsVariables, useSecretsKey } from './secrets-key.ts';
import { allow, ServiceFunction, tablePolicy, tableVariables } from './service-function.ts';
import type { StageTables } from './tables.ts';

type Props = {
  worker: Worker;
  /** The folder of the bundle. */
  folder: string;
  tables: StageTables;
  logGroup: LogGroup;
  config: StageConfig;
};

/**
 * The function of a worker, with its queue as event source. A notice that fails comes again. A notice that keeps failing
 * becomes a dead letter, which triggers an alarm.
 */
export class WorkerFunction extends Construct {
  readonly worker: Worker;
  readonly handler: LambdaFunction;
  readonly live: Alias;
  readonly queue: IQueue;
  readonly deadLetters: IQueue;

  constructor(scope: Construct, id: string, { worker, folder, tables, logGroup, config }: Props) {
    super(scope, id);
    this.worker = worker;
    this.deadLetters = newQueue(this, 'DeadLetters', { queueName: deadLettersName(config.stage, worker.id) });
    this.queue = newQueue(this, 'Queue', {
      queueName: queueName(config.stage, worker.id),
      deliveryDelay: Duration.seconds(worker.delaySeconds),
      // AWS requires at least the function's timeout, and a message may wait in Lambda for a batch before. AWS recommends six
      // times the timeout, so that Lambda can wait while it is throttled ("Creating and configuring an Amazon SQS event
      // source mapping"). Here, the limit of concurrency keeps Lambda from taking more than it can run, and after a crash
      // the work of 15 minutes would start again only after 90 minutes.
      visibilityTimeout: Duration.seconds(worker.timeoutSeconds + worker.batchingSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
    const { handler, live } = new ServiceFunction(this, 'Function', {
      name: worker.id,
      description: worker.summary,
      folder,
      files: modelsFiles(worker, config),
      memoryMb: worker.memoryMb,
      timeoutSeconds: worker.timeoutSeconds,
      policies: {
        queue: allow(queueActions, [this.queue.queueArn]),
        tables: tablePolicy(worker.access, tables),
        ...filesPolicy(worker.files, config.stage),
        ...(worker.decrypts && { secrets: useSecretsKey('kms:Decrypt', config) }),
        ...modelsPolicy(worker, config),
      },
      environment: {
        ...tableVariables(worker.access, tables),
        ...filesVariables(worker.files, config.stage),
        [queueVariable(worker.id)]: this.queue.queueUrl,
        ...(worker.access.audit && { AUDIT_DAYS: String(config.auditDays) }),
        ...(worker.decrypts && secretsVariables(config)),
        ...modelsVariables(worker, config),
        ...(worker.models && { [limitsVariable]: JSON.stringify(config.limits) }),
      },
      logGroup,
      config,
    });
    this.handler = handler;
    this.live = live;
    this.live.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: worker.batchSize,
        ...(worker.batchingSeconds > 0 && { maxBatchingWindow: Duration.seconds(worker.batchingSeconds) }),
        maxConcurrency: concurrencyOf(worker, config),
        reportBatchItemFailures: true,
      }),
    );
  }
}

/** At least ten organisations have all of their places at the same time, also if the stage gives an organisation more places. */
export const concurrencyOf = (worker: Worker, { limits }: Pick<StageConfig, 'limits'>): number =>
  worker.placesOf
    ? Math.max(
        worker.maxConcurrency,
        10 * placesOf(worker, limits.live.quotas),
        10 * placesOf(worker, limits.test.quotas),
      )
    : worker.maxConcurrency;

/**
 * The permissions that Lambda requires ("Lambda execution role permissions", Using Lambda with Amazon SQS). The function
 * itself changes the visibility of messages that failed, and puts notices whose turn is over behind the others.
 */
const queueActions = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ChangeMessageVisibility',
  'sqs:SendMessage',
];
