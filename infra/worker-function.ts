import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  FilterCriteria,
  FilterRule,
  Function as LambdaFunction,
  Runtime,
  StartingPosition,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Worker } from '../lib/workers/worker.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { metricsVariables, tablePolicy, tableVariables, tracingPolicy } from './endpoint-function.ts';
import { newLogGroup } from './log-group.ts';
import type { Tables } from './tables.ts';

type Props = { worker: Worker; tables: Tables; config: StageConfig };

/**
 * The function of a worker, with its table's stream as event source. A failed batch is retried from the first change
 * that failed. What keeps failing becomes a dead letter, which triggers an alarm.
 */
export class WorkerFunction extends Construct {
  readonly worker: Worker;
  readonly handler: LambdaFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { worker, tables, config }: Props) {
    super(scope, id);
    this.worker = worker;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    const logGroup = newLogGroup(this, 'Log', config);
    const source = streamed(tables.of(worker.source));
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Permissions of ${worker.id}`,
      inlinePolicies: {
        log: allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
        stream: allow(streamActions, source.tableStreamArn),
        deadLetters: allow(['sqs:SendMessage'], this.deadLetters.queueArn),
        tables: tablePolicy(worker.access, tables),
        ...(config.tracing && { tracing: tracingPolicy() }),
      },
    });
    this.handler = new LambdaFunction(this, 'Function', {
      description: worker.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(functionFolder(worker)),
      memorySize: worker.memoryMb,
      timeout: Duration.seconds(worker.timeoutSeconds),
      role: role.withoutPolicyUpdates(),
      logGroup,
      environment: { ...tableVariables(worker.access, tables), ...metricsVariables(config) },
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    });
    this.handler.addEventSource(
      new DynamoEventSource(source, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: worker.batchSize,
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        retryAttempts: 20,
        // A stream keeps changes for this long ("Change data capture for DynamoDB Streams").
        maxRecordAge: Duration.hours(24),
        // So that one tenant's long work delays few others.
        parallelizationFactor: 10,
        onFailure: new SqsDlq(this.deadLetters),
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.or(...worker.filter.on),
            dynamodb: { Keys: keyFilter(worker.filter) },
          }),
        ],
      }),
    );
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

/** Event patterns support suffixes, but CDK's rules do not ("Lambda event filtering", Developer Guide). */
const keyFilter = ({ idPrefix, partitions }: Worker['filter']) => ({
  id: { S: FilterRule.beginsWith(idPrefix) },
  ...(partitions && { tenant: { S: partitions.map((partition) => ({ suffix: `#${partition}` })) } }),
});

/** @throws Error if the table has no stream */
function streamed(table: TableV2): TableV2 & { tableStreamArn: string } {
  if (table.tableStreamArn === undefined) throw new Error(`${table.node.id} has no stream`);
  return table as TableV2 & { tableStreamArn: string };
}

const allow = (actions: string[], resource: string) =>
  new PolicyDocument({
    statements: [new PolicyStatement({ effect: Effect.ALLOW, actions, resources: [resource] })],
  });
