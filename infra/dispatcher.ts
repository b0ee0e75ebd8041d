import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type Alias, type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tables as definitions } from '../lib/dynamodb/tables.ts';
import { dispatcherId } from '../lib/workers/dispatcher.ts';
import { deadLettersName, deadLettersVariable, queueVariable } from '../lib/workers/worker.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { newQueue } from './queue.ts';
import { allow, ServiceFunction, sendTo } from './service-function.ts';
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
  readonly deadLetters: IQueue;

  constructor(scope: Construct, id: string, { tables, workers, logGroup, config }: Props) {
    super(scope, id);
    this.deadLetters = newQueue(this, 'DeadLetters', {
      queueName: deadLettersName(config.stage, dispatcherId),
    });
    const sources = [...new Set(workers.flatMap(({ worker }) => worker.sources))];
    const streams = sources.map((source) => withStream(tables.of(source)));
    const { handler, live } = new ServiceFunction(this, 'Function', {
      name: dispatcherId,
      description: 'Sends the changes of the tables to the queues of the workers',
      folder: functionFolder({ id: dispatcherId }),
      memoryMb: 512,
      timeoutSeconds: 60,
      policies: {
        streams: allow(
          streamActions,
          streams.map(({ tableStreamArn }) => tableStreamArn),
        ),
        queues: sendTo([...workers.map(({ queue }) => queue), this.deadLetters]),
      },
      environment: {
        ...Object.fromEntries(
          sources.map((source) => [definitions[source].variable, tables.of(source).tableName]),
        ),
        ...queueVariables(workers, this),
      },
      logGroup,
      config,
    });
    this.handler = handler;
    this.live = live;
    for (const stream of streams) {
      this.live.addEventSource(
        new DynamoEventSource(stream, {
          startingPosition: StartingPosition.TRIM_HORIZON,
          batchSize: 100,
          // A change that makes the function crash is separated from the other changes.
          bisectBatchOnError: true,
          reportBatchItemFailures: true,
          // The function makes dead letters of changes that cannot be sent. It fails if SQS is not available: then time helps.
          // Half of the 24 hours for which a stream keeps changes is left for an operator ("Change data capture for DynamoDB
          // Streams").
          maxRecordAge: Duration.hours(12),
          // Changes of different items may be sent at the same time, so that a flood of changes takes seconds.
          parallelizationFactor: 10,
          onFailure: new SqsDlq(this.deadLetters),
        }),
      );
    }
  }
}

/** @returns the variables with the addresses of the queues, which `createSender` reads */
export const queueVariables = (
  workers: readonly WorkerFunction[],
  { deadLetters }: Pick<Dispatcher, 'deadLetters'>,
): Record<string, string> => ({
  ...Object.fromEntries(workers.map(({ worker, queue }) => [queueVariable(worker.id), queue.queueUrl])),
  [deadLettersVariable(dispatcherId)]: deadLetters.queueUrl,
});

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
function withStream(table: ITable): ITable & { tableStreamArn: string } {
  const { tableStreamArn } = table;
  if (tableStreamArn === undefined) throw new Error(`${table.node.id} has no stream`);
  return Object.assign(table, { tableStreamArn });
}
