import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  Runtime,
  StartingPosition,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tables as definitions } from '../lib/dynamodb/tables.ts';
import { dispatcherId } from '../lib/workers/dispatcher.ts';
import { deadLettersName, deadLettersVariable, queueVariable } from '../lib/workers/queue-names.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { allow, logPolicy, metricsVariables, tracingPolicy } from './endpoint-function.ts';
import { liveAlias, versionOptions } from './live-alias.ts';
import { jsonLog } from './log-group.ts';
import { functionName } from './names.ts';
import { newQueue } from './queue.ts';
import type { StageTables } from './tables.ts';
import type { WorkerFunction } from './worker-function.ts';

type Props = {
  tables: StageTables;
  workers: readonly WorkerFunction[];
  logGroup: LogGroup;
  config: StageConfig;
};

/** The function that reads the streams of the workers' tables, and sends notices to the workers' queues. */
export class Dispatcher extends Construct {
  readonly handler: LambdaFunction;
  readonly live: Alias;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { tables, workers, logGroup, config }: Props) {
    super(scope, id);
    this.deadLetters = newQueue(this, 'DeadLetters', {
      queueName: deadLettersName(config.stage, dispatcherId),
    });
    const sources = [...new Set(workers.map(({ worker }) => worker.source))];
    const streams = sources.map((source) => streamed(tables.of(source)));
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: 'Permissions of the dispatcher',
      inlinePolicies: {
        log: logPolicy(logGroup),
        streams: allow(
          streamActions,
          streams.map(({ tableStreamArn }) => tableStreamArn),
        ),
        queues: allow(
          ['sqs:SendMessage'],
          [...workers.map(({ queue }) => queue), this.deadLetters].map(({ queueArn }) => queueArn),
        ),
        ...(config.tracing && { tracing: tracingPolicy() }),
      },
    });
    this.handler = new LambdaFunction(this, 'Function', {
      functionName: functionName(config.stage, dispatcherId),
      description: 'Sends the changes of the tables to the queues of the workers',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(functionFolder({ id: dispatcherId })),
      memorySize: 512,
      timeout: Duration.seconds(60),
      role: role.withoutPolicyUpdates(),
      ...jsonLog(logGroup),
      environment: {
        ...Object.fromEntries(
          sources.map((source) => [definitions[source].variable, tables.of(source).tableName]),
        ),
        ...Object.fromEntries(workers.map(({ worker, queue }) => [queueVariable(worker.id), queue.queueUrl])),
        [deadLettersVariable(dispatcherId)]: this.deadLetters.queueUrl,
        ...metricsVariables(config),
      },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      currentVersionOptions: versionOptions,
    });
    this.live = liveAlias(this.handler);
    for (const stream of streams) {
      this.live.addEventSource(
        new DynamoEventSource(stream, {
          startingPosition: StartingPosition.TRIM_HORIZON,
          batchSize: 100,
          // A change that makes the function crash is separated from the others.
          bisectBatchOnError: true,
          reportBatchItemFailures: true,
          // The function buries what cannot be sent. It fails if SQS is not available: then time helps. Half of the 24 hours
          // for which a stream keeps changes is left for an operator ("Change data capture for DynamoDB Streams").
          maxRecordAge: Duration.hours(12),
          // Changes of different items may be sent at the same time, so that a flood of changes takes seconds.
          parallelizationFactor: 10,
          onFailure: new SqsDlq(this.deadLetters),
        }),
      );
    }
  }
}

/**
 * The permissions that Lambda requires ("IAM policy to allow an AWS Lambda function to access DynamoDB stream
 * records").
 */
const streamActions = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

/** @throws Error if the table has no stream */
function streamed(table: ITable): ITable & { tableStreamArn: string } {
  const { tableStreamArn } = table;
  if (tableStreamArn === undefined) throw new Error(`${table.node.id} has no stream`);
  return Object.assign(table, { tableStreamArn });
}
