import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { schedulerAccess, schedulerId } from '../lib/schedule/scheduler.ts';
import { dispatcherId } from '../lib/workers/dispatcher.ts';
import { deadLettersVariable, queueVariable } from '../lib/workers/queue-names.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import type { Dispatcher } from './dispatcher.ts';
import { metricsVariables, tablePolicy, tableVariables, tracingPolicy } from './endpoint-function.ts';
import { newLogGroup } from './log-group.ts';
import type { Tables } from './tables.ts';
import { allow, type WorkerFunction } from './worker-function.ts';

type Props = {
  tables: Tables;
  workers: readonly WorkerFunction[];
  dispatcher: Dispatcher;
  config: StageConfig;
};

/** The function that sends notices of what is due to the workers' queues, and the rule that starts it every minute. */
export class Scheduler extends Construct {
  readonly handler: LambdaFunction;

  constructor(scope: Construct, id: string, { tables, workers, dispatcher, config }: Props) {
    super(scope, id);
    const logGroup = newLogGroup(this, 'Log', config);
    const queues = [...workers.map(({ queue }) => queue), dispatcher.deadLetters];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: 'Permissions of the scheduler',
      inlinePolicies: {
        log: allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
        queues: new PolicyDocument({
          statements: [
            new PolicyStatement({
              effect: Effect.ALLOW,
              actions: ['sqs:SendMessage'],
              resources: queues.map(({ queueArn }) => queueArn),
            }),
          ],
        }),
        tables: tablePolicy(schedulerAccess, tables),
        ...(config.tracing && { tracing: tracingPolicy() }),
      },
    });
    this.handler = new LambdaFunction(this, 'Function', {
      description: 'Sends what is due to the queues of the workers',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(functionFolder({ id: schedulerId })),
      memorySize: 512,
      // A run stops by itself before that.
      timeout: Duration.seconds(60),
      // The next minute repeats a failed run.
      retryAttempts: 0,
      role: role.withoutPolicyUpdates(),
      logGroup,
      environment: {
        ...tableVariables(schedulerAccess, tables),
        ...Object.fromEntries(workers.map(({ worker, queue }) => [queueVariable(worker.id), queue.queueUrl])),
        [deadLettersVariable(dispatcherId)]: dispatcher.deadLetters.queueUrl,
        ...metricsVariables(config),
      },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    });
    new Rule(this, 'EveryMinute', {
      description: 'Starts the scheduler',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new Target(this.handler)],
    });
  }
}
