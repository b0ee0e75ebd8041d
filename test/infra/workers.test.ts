/** The dispatcher, the queues and the functions of the workers, in the template. */

import { beforeAll, describe, expect, test } from 'vitest';
import { mergeAccess, tableNames, tables } from '../../lib/dynamodb/tables.ts';
import { dispatcherId } from '../../lib/workers/dispatcher.ts';
import { schedulerAccess, schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import { type Resource, type Synthesised, stacksOf } from '../../measures/stacks.ts';
import { workers } from '../../workers/index.ts';

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
type Mapping = {
  FunctionName: unknown;
  EventSourceArn: unknown;
  BatchSize: number;
  MaximumBatchingWindowInSeconds?: number;
  DestinationConfig?: { OnFailure: { Destination: unknown } };
};
type QueueProperties = {
  QueueName?: string;
  VisibilityTimeout?: number;
  DelaySeconds?: number;
  RedrivePolicy?: { deadLetterTargetArn: unknown; maxReceiveCount: number };
};

let prod: Synthesised;

beforeAll(() => {
  prod = stacksOf('prod');
});

/** A resource, with its properties in a form that the caller knows. */
type Found<Properties> = Omit<Resource, 'Properties'> & { id: string; properties: Properties };

const ofType = <Properties>(type: string): Found<Properties>[] =>
  prod
    .ofType(type)
    .map((each) => ({ ...each, id: each.logicalId, properties: each.Properties as Properties }));

/** @returns the logical id of what a value in the stack of the workers names */
const target = (value: unknown, stack = workersStack()): string =>
  prod.target(stack, value)?.logicalId ?? queueNamed(value)?.id ?? '';
/** A queue in a nested stack is named, because nothing depends on attributes there (infra/queue.ts). */
const queueNamed = (value: unknown) =>
  queues().find(({ properties: { QueueName = '' } }) =>
    new RegExp(`[":]${QueueName}"`).test(JSON.stringify(value) ?? ''),
  );
const workersStack = () => functionOf(dispatcherId).stack;

const functionOf = (id: string) => {
  const found = ofType<Record<string, unknown>>('AWS::Lambda::Function').find((one) =>
    one.id.startsWith(`${id.replace(/[.-]/g, '')}Function`),
  );
  if (!found) throw new Error(`${id} has no function`);
  return found;
};
const mappings = () => ofType<Mapping>('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties);
/** Their function is the alias `live`, whose name is cut from its ARN. */
const mappingsOf = (id: string) =>
  mappings().filter(({ FunctionName }) =>
    JSON.stringify(FunctionName).includes(`{"Ref":"${functionOf(id).id.slice(0, -8)}Live`),
  );
const queues = () => ofType<QueueProperties>('AWS::SQS::Queue');
const queueOf = (id: string) => {
  const [mapping] = mappingsOf(id);
  const found = queues().find((queue) => queue.id === target(mapping?.EventSourceArn, functionOf(id).stack));
  if (!found) throw new Error(`${id} has no queue`);
  return found;
};
const deadLettersOf = (id: string) =>
  id === dispatcherId
    ? target(mappingsOf(id)[0]?.DestinationConfig?.OnFailure.Destination)
    : target(queueOf(id).properties.RedrivePolicy?.deadLetterTargetArn, functionOf(id).stack);

/** The permissions of a function, without those on tables, logs and X-Ray. */
const permissionsOf = (id: string) => {
  const role = prod.named(functionOf(id).stack, functionOf(id).properties.Role)?.Properties as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .map(({ Action, Resource }) => ({ actions: [Action].flat(), on: [Resource].flat() }))
    .filter(({ actions: [action = ''] }) => /^sqs:|^dynamodb:.*(Stream|Shard|Records)/.test(action));
};

const tablesOf = (id: string) => {
  const role = prod.named(functionOf(id).stack, functionOf(id).properties.Role)?.Properties as {
    Policies: { PolicyName: string; PolicyDocument: { Statement: Statement[] } }[];
  };
  const statements = role.Policies.find(({ PolicyName }) => PolicyName === 'tables')?.PolicyDocument
    .Statement;
  return Object.fromEntries(
    (statements ?? []).map(({ Action, Resource }) => [
      tableOf(Resource),
      [Action]
        .flat()
        .map((action) => action.replace('dynamodb:', ''))
        .sort(),
    ]),
  );
};
const tableOf = (arn: unknown) =>
  tableNames.find((table) => JSON.stringify(arn).includes(`:table/PlatformApi-prod-${table}"`));

/** @returns the table whose stream an event source reads */
function tableOfStream(arn: unknown) {
  const { StackName = '', OutputName = '' } = (arn as { 'Fn::GetStackOutput': Record<string, string> })[
    'Fn::GetStackOutput'
  ];
  const output = prod.templates.get(StackName)?.Outputs?.[OutputName]?.Value as { 'Fn::GetAtt': string[] };
  expect(output['Fn::GetAtt'][1]).toBe('StreamArn');
  const name = prod.target(StackName, output)?.Properties.TableName;
  return tableNames.find((table) => name === `PlatformApi-prod-${table}`);
}

const variablesOf = (id: string) =>
  (functionOf(id).properties.Environment as { Variables: Record<string, unknown> }).Variables;

type Alarm = {
  MetricName: string;
  Threshold: number;
  Dimensions?: { Value: unknown }[];
  AlarmDescription: string;
};
const alarmsOn = (name: string, of: string) =>
  ofType<Alarm>('AWS::CloudWatch::Alarm')
    .filter(
      ({ stack, properties: { MetricName, Dimensions = [] } }) =>
        MetricName === name && target(Dimensions[0]?.Value, stack) === of,
    )
    .map(({ properties }) => properties);

/** "Service, account, and table quotas in Amazon DynamoDB": two readers per shard. */
test('every stream has at most two consumers', () => {
  const consumers = Map.groupBy(
    mappings().filter(({ EventSourceArn }) => JSON.stringify(EventSourceArn).includes('Stream"')),
    ({ EventSourceArn }) => tableOfStream(EventSourceArn),
  );
  expect(consumers.size).toBe(new Set(workers.flatMap(({ sources }) => sources)).size);
  for (const [stream, own] of consumers) expect(own.length, stream).toBeLessThanOrEqual(2);
});

test('every queue is encrypted, TLS only, keeps messages for 14 days, and has a dead-letter queue and an alarm', () => {
  expect(queues()).toHaveLength(2 * workers.length + 1);
  const deadLetters = new Set([...workers.map(({ id }) => id), dispatcherId].map(deadLettersOf));
  expect(deadLetters.size).toBe(workers.length + 1);
  const policies = ofType<{ Queues: unknown[]; PolicyDocument: { Statement: Statement[] } }>(
    'AWS::SQS::QueuePolicy',
  );
  for (const { id, properties } of queues()) {
    expect(properties, id).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 24 * 3600,
    });
    const own = policies.filter(({ stack, properties: { Queues } }) =>
      Queues.map((queue) => target(queue, stack)).includes(id),
    );
    expect(
      own.map(({ properties: { PolicyDocument } }) => PolicyDocument.Statement),
      id,
    ).toMatchObject([
      [{ Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
    ]);
    const isDeadLetters = deadLetters.has(id);
    expect(properties.RedrivePolicy === undefined, id).toBe(isDeadLetters);
    const metric = isDeadLetters ? 'ApproximateNumberOfMessagesVisible' : 'ApproximateAgeOfOldestMessage';
    expect(alarmsOn(metric, id), id).toHaveLength(1);
  }
});

describe('the dispatcher', () => {
  test('reads the stream of each table that has a worker', () => {
    const own = mappingsOf(dispatcherId);
    const sources = own.map(({ EventSourceArn }) => tableOfStream(EventSourceArn));
    expect(sources.toSorted()).toEqual([...new Set(workers.flatMap(({ sources }) => sources))].sort());
    for (const mapping of own) {
      expect(mapping).toMatchObject({
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 100,
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRecordAgeInSeconds: 12 * 3600,
        ParallelizationFactor: 10,
      });
      expect(target(mapping.DestinationConfig?.OnFailure.Destination)).toBe(deadLettersOf(dispatcherId));
      expect(mapping).not.toHaveProperty('MaximumBatchingWindowInSeconds');
    }
  });

  test('has the permissions for this, and no others', () => {
    const streams = mappingsOf(dispatcherId).map(({ EventSourceArn }) => EventSourceArn);
    const [reading, sending, ...others] = permissionsOf(dispatcherId);
    expect(others).toEqual([]);
    expect(reading?.on).toEqual(streams);
    expect(sending?.actions).toEqual(['sqs:SendMessage']);
    const expected = [...workers.map(({ id }) => queueOf(id).id), deadLettersOf(dispatcherId)];
    expect(sending?.on.map((arn) => target(arn))).toEqual(expected);
    expect(tablesOf(dispatcherId)).toEqual({});
  });

  test('knows the names of the tables and the URLs of the queues', () => {
    const sources = [
      ...new Set(workers.flatMap(({ sources }) => sources.map((source) => tables[source].variable))),
    ];
    const urls = workers.map(({ id }) => `${id.toUpperCase().replaceAll('-', '_')}_QUEUE`);
    expect(Object.keys(variablesOf(dispatcherId)).sort()).toEqual(
      [...sources, ...urls, 'COMMIT', 'DISPATCHER_DEAD_LETTERS', 'STAGE'].sort(),
    );
  });

  test('has alarms for dead letters and lag', () => {
    expect(alarmsOn('ApproximateNumberOfMessagesVisible', deadLettersOf(dispatcherId))).toMatchObject([
      { Threshold: 0 },
    ]);
    expect(alarmsOn('IteratorAge', functionOf(dispatcherId).id)).toMatchObject([{ Threshold: 600_000 }]);
  });
});

describe('the scheduler', () => {
  test('is started every minute, and a failed run is not repeated before that', () => {
    const rules = ofType<{ ScheduleExpression: string; Targets: { Arn: unknown }[] }>('AWS::Events::Rule');
    expect(rules.map(({ properties }) => properties.ScheduleExpression)).toEqual(['rate(1 minute)']);
    expect(rules[0]?.properties.Targets.map(({ Arn }) => target(Arn))).toEqual([
      expect.stringMatching(/^schedulerFunctionLive/),
    ]);
    const invocations = ofType<{ FunctionName: unknown }>('AWS::Lambda::EventInvokeConfig');
    expect(invocations.map(({ properties }) => properties)).toMatchObject([{ MaximumRetryAttempts: 0 }]);
    expect(functionOf(schedulerId).properties).toMatchObject({ Timeout: 60 });
  });

  test('may use the schedule and send to every worker, and nothing else', () => {
    const [sending, ...others] = permissionsOf(schedulerId);
    const expected = [...workers.map(({ id }) => queueOf(id).id), deadLettersOf(dispatcherId)];
    expect(sending?.actions).toEqual(['sqs:SendMessage']);
    expect(sending?.on.map((arn) => target(arn))).toEqual(expected);
    expect(others).toEqual([]);
    expect(tablesOf(schedulerId)).toEqual(mergeAccess(schedulerAccess));
    const urls = workers.map(({ id }) => `${id.toUpperCase().replaceAll('-', '_')}_QUEUE`);
    expect(Object.keys(variablesOf(schedulerId)).sort()).toEqual(
      [...urls, 'SCHEDULE_TABLE', 'COMMIT', 'DISPATCHER_DEAD_LETTERS', 'STAGE'].sort(),
    );
  });

  test('has an alarm for failed runs, and one for missing runs', () => {
    const { id } = functionOf(schedulerId);
    expect(alarmsOn('Errors', id)).toMatchObject([{ Threshold: 0, TreatMissingData: 'notBreaching' }]);
    expect(alarmsOn('Invocations', id)).toMatchObject([
      { Threshold: 1, ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' },
    ]);
  });
});

test('replies have room for ten times what one organisation may have at once, also at the highest quota of a stage', () => {
  const runner = workers.find(({ id }) => id === 'reply-runner');
  if (!runner?.placesOf) throw new Error('no worker answers');
  const [mapping] = mappingsOf(runner.id) as (Mapping & { ScalingConfig: { MaximumConcurrency: number } })[];
  const atOnce = mapping ? mapping.ScalingConfig.MaximumConcurrency * mapping.BatchSize : 0;
  expect(runner.placesOf({})).toBe(20);
  expect(runner.placesOf({ replies: 100 })).toBe(100);
  // Messages may come one by one.
  expect(mapping?.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(10 * 20);
  expect(atOnce).toBeGreaterThanOrEqual(10 * 100);
});

describe.each(workers.map((worker) => [worker.id, worker] as const))('%s', (id, worker) => {
  test('has a function on Node 24 and arm64 of the declared size, with the names of its tables', () => {
    expect(functionOf(id).properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: worker.memoryMb,
      Timeout: worker.timeoutSeconds,
      TracingConfig: { Mode: 'Active' },
    });
    const declared = Object.keys(worker.access).map((table) => tables[table as 'projects'].variable);
    const queue = `${id.toUpperCase().replaceAll('-', '_')}_QUEUE`;
    const days = 'audit' in worker.access ? ['AUDIT_DAYS'] : [];
    const files = worker.files.length > 0 ? ['FILES_BUCKET'] : [];
    const keys = worker.decrypts ? ['SECRETS_KEY'] : [];
    const limits = worker.models ? ['LIMITS'] : [];
    expect(Object.keys(variablesOf(id)).sort()).toEqual(
      [...declared, ...days, ...files, ...keys, ...limits, queue, 'COMMIT', 'STAGE'].sort(),
    );
  });

  test('has only the declared permissions on tables, and may receive from its queue', () => {
    const declared = Object.entries(worker.access).map(([table, actions]) => [table, [...actions].sort()]);
    expect(tablesOf(id)).toEqual(Object.fromEntries(declared));
    expect(
      permissionsOf(id).map(({ actions, on }) => [
        actions,
        on.map((arn) => target(arn, functionOf(id).stack)),
      ]),
    ).toEqual([
      [
        [
          'sqs:ReceiveMessage',
          'sqs:DeleteMessage',
          'sqs:GetQueueAttributes',
          'sqs:ChangeMessageVisibility',
          'sqs:SendMessage',
        ],
        [queueOf(id).id],
      ],
    ]);
  });

  test('may do with files what it declares', () => {
    const actions = { put: 'PutObject', remove: 'DeleteObject', read: 'GetObject', link: 'GetObject' };
    const role = prod.named(functionOf(id).stack, functionOf(id).properties.Role)?.Properties as {
      Policies: { PolicyDocument: { Statement: Statement[] } }[];
    };
    const granted = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .flatMap(({ Action }) => Action)
      .filter((action) => action.startsWith('s3:'));
    expect(granted).toEqual(worker.files.map((action) => `s3:${actions[action as 'put']}`));
  });

  test('receives batches with a limit of concurrency, and reports failures one by one', () => {
    expect(mappingsOf(id)).toHaveLength(1);
    expect(mappingsOf(id)[0]).toMatchObject({
      BatchSize: worker.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: worker.maxConcurrency },
    });
    expect(mappingsOf(id)[0]?.MaximumBatchingWindowInSeconds ?? 0).toBe(worker.batchingSeconds);
    // "Lambda parameters for Amazon SQS event source mappings" and "Configuring scaling behavior …".
    if (worker.batchSize > 10) expect(worker.batchingSeconds).toBeGreaterThanOrEqual(1);
    expect(worker.maxConcurrency).toBeGreaterThanOrEqual(2);
    expect(worker.maxConcurrency).toBeLessThanOrEqual(1000);
  });

  test('has a fair queue whose messages come again after the timeout, at most twenty times', () => {
    const { properties } = queueOf(id);
    // The tenant as MessageGroupId makes a standard queue fair, not a FIFO queue.
    expect(properties).not.toHaveProperty('FifoQueue');
    expect(properties.VisibilityTimeout).toBeGreaterThanOrEqual(worker.timeoutSeconds);
    expect(properties.DelaySeconds).toBe(worker.delaySeconds);
    expect(properties.RedrivePolicy?.maxReceiveCount).toBe(20);
  });

  test('has an alarm for dead letters and one for lag, which say what users lose', () => {
    expect(alarmsOn('ApproximateNumberOfMessagesVisible', deadLettersOf(id))).toMatchObject([
      { Threshold: 0, AlarmDescription: `${worker.impact} See docs/runbook.md#alarms.` },
    ]);
    expect(alarmsOn('ApproximateAgeOfOldestMessage', queueOf(id).id)).toMatchObject([
      { Threshold: 600, AlarmDescription: expect.stringContaining(worker.impact) },
    ]);
  });
});
