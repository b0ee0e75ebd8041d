import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { schedulerAccess, schedulerId } from '../lib/schedule/scheduler.ts';
import { dispatcherId } from '../lib/workers/dispatcher.ts';
import { deadLettersVariable, queueVariable } from '../lib/workers/queue-names.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import type { Dispatcher } from './dispatcher.ts';
import {
  allow,
  logPolicy,
  metricsVariables,
  tablePolicy,
  tableVariables,
  tracingPolicy,
} from './endpoint-function.ts';
import { liveAlias, versionOptions } from './live-alias.ts';
import { jsonLog } from './log-group.ts';
import { functionName } from './names.ts';
import type { StageTables } from './tables.ts';
import type { WorkerFunction } from './worker-function.ts';

type Props = {
  tables: StageTables;
  logGroup: LogGroup;
  workers: readonly WorkerFunction[];
  dispatcher: Dispatcher;
  config: StageConfig;
};

/** The function that sends notices of what is due to the workers' queues, and the rule that starts it every minute. */
export class Scheduler extends Construct {
  readonly handler: LambdaFunction;
  readonly live: Alias;

  constructor(scope: Construct, id: string, { tables, workers, dispatcher, logGroup, config }: Props) {
    super(scope, id);
    const queues = [...workers.map(({ queue }) => queue), dispatcher.deadLetters];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: 'Permissions of the scheduler',
      inlinePolicies: {
        log: logPolicy(logGroup),
        queues: allow(
          ['sqs:SendMessage'],
          queues.map(({ queueArn }) => queueArn),
        ),
        tables: tablePolicy(schedulerAccess, tables),
        ...(config.tracing && { tracing: tracingPolicy() }),
      },
    });
    this.handler = new LambdaFunction(this, 'Function', {
      functionName: functionName(config.stage, schedulerId),
      description: 'Sends what is due to the queues of the workers',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(functionFolder({ id: schedulerId })),
      memorySize: 512,
      // A run stops by itself before that.
      timeout: Duration.seconds(60),
      role: role.withoutPolicyUpdates(),
      ...jsonLog(logGroup),
      environment: {
        ...tableVariables(schedulerAccess, tables),
        ...Object.fromEntries(workers.map(({ worker, queue }) => [queueVariable(worker.id), queue.queueUrl])),
        [deadLettersVariable(dispatcherId)]: dispatcher.deadLetters.queueUrl,
        ...metricsVariables(config),
      },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      currentVersionOptions: versionOptions,
    });
    this.live = liveAlias(this.handler);
    // The next minute repeats a failed run.
    this.live.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'EveryMinute', {
      description: 'Starts the scheduler',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new Target(this.live as IFunction)],
    });
  }
}
