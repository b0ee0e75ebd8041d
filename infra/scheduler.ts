import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { schedulerAccess, schedulerId } from '../lib/workers/schedule/scheduler.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { type Dispatcher, queueVariables } from './dispatcher.ts';
import { ServiceFunction, sendTo, tablePolicy, tableVariables } from './service-function.ts';
import type { StageTables } from './tables.ts';
import type { WorkerFunction } from './worker-function.ts';

type Props = {
  tables: StageTables;
  logGroup: LogGroup;
  workers: readonly WorkerFunction[];
  dispatcher: Dispatcher;
  config: StageConfig;
};

/** The function that sends notices of due work to the workers' queues, and the rule that starts it every minute. */
export class Scheduler extends ServiceFunction {
  constructor(scope: Construct, id: string, { tables, workers, dispatcher, logGroup, config }: Props) {
    super(scope, id, {
      name: schedulerId,
      description: 'Sends what is due to the queues of the workers',
      folder: functionFolder({ id: schedulerId }),
      memoryMb: 512,
      // A run stops by itself before this timeout.
      timeoutSeconds: 60,
      policies: {
        queues: sendTo([...workers.map(({ queue }) => queue), dispatcher.deadLetters]),
        tables: tablePolicy(schedulerAccess, tables),
      },
      environment: {
        ...tableVariables(schedulerAccess, tables),
        ...queueVariables(workers, dispatcher),
      },
      logGroup,
      config,
    });
    // The next minute repeats a failed run.
    this.live.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'EveryMinute', {
      description: 'Starts the scheduler',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new Target(this.live as IFunction)],
    });
  }
}
