/** cdk-nag rules that do not apply, each with its reason. test/infra/nag.test.ts refuses every other finding. */

import { type CfnElement, Names, Validations } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { fileActions, keysOf } from '../lib/base/files.ts';
import type { StageConfig } from './config.ts';
import { bucketName, downloadsExport } from './names.ts';

const findingsOfAllStages = [
  {
    id: 'AwsSolutions::AwsSolutions-APIG2',
    reason:
      'The functions validate requests with the documented schemas. The gateway could not name the ' +
      'invalid fields.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason:
      'Every function reads the API key with strong consistency. An authorizer would cache it, so a ' +
      'revoked key would keep working.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-COG4',
    reason: 'Callers are programs with API keys, not users of a Cognito pool.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG6',
    reason:
      'Execution logs would contain headers and bodies, and so API keys. The access log and the ' +
      'functions’ own lines have what is needed.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'API Gateway writes its logs with this role, one per account and region, as AWS documents it.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason:
      'X-Ray has no resource-level permissions. test/infra/stack.test.ts checks that nothing else has a ' +
      'wildcard.',
  },
  {
    id: 'Serverless::Serverless-LambdaStarPermissions',
    reason:
      'X-Ray has no resource-level permissions. test/infra/stack.test.ts checks that nothing else has a ' +
      'wildcard.',
  },
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason:
      'An endpoint is called synchronously: the caller gets the failure and repeats the request. The queue ' +
      "of a worker and the dispatcher's event sources have dead-letter queues.",
  },
  ...['Serverless::Serverless-LambdaAsyncFailureDestination', 'Serverless::Serverless-EventBusDLQ'].map(
    (id) => ({
      id,
      reason:
        'Only the scheduler is started asynchronously, by a rule. A lost or failed run is repeated by the next ' +
        'one, a minute later, and has an alarm.',
    }),
  ),
  {
    id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
    reason:
      'A queue moves what keeps failing to its dead-letter queue. An event source of SQS has no destination of ' +
      'its own.',
  },
  ...['AwsSolutions::AwsSolutions-SQS3', 'Serverless::Serverless-SQSRedrivePolicy'].map((id) => ({
    id,
    reason: 'Only dead-letter queues have no dead-letter queue (checked by test/infra/workers.test.ts).',
  })),
];

const withoutFirewall = [
  { id: 'AwsSolutions::AwsSolutions-APIG3', reason: 'This stage has no `waf` in its settings.' },
];

const withoutRecovery = [
  {
    id: 'AwsSolutions::AwsSolutions-DDB3',
    reason: 'This stage has point-in-time recovery off in its settings.',
  },
];

const withCanary = [
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'CodeDeploy shifts aliases with this role, as AWS documents it.',
  },
];

const withoutTracing = [
  'Serverless::Serverless-APIGWXrayEnabled',
  'Serverless::Serverless-LambdaTracing',
].map((id) => ({ id, reason: 'This stage has X-Ray off in its settings.' }));

/** The permissions to write to the streams of a log group, in roles of its stack and of nested stacks. */
function logStreams({ stack, node }: LogGroup) {
  const resource = node.defaultChild as CfnElement;
  const nested = `referenceto${Names.nodeUniqueId(resource.node)}Ref`;
  return [stack.getLogicalId(resource), nested].map((reference) => ({
    id:
      'AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:' +
      `log-group:<${reference}>:*]`,
    reason: 'The streams of a log group have generated names.',
  }));
}

export function acknowledgeNoBackups(table: Construct): void {
  Validations.of(table).acknowledge({
    id: 'AwsSolutions::AwsSolutions-DDB3',
    reason: 'The table has counters of requests. Without the table, all counters begin with zero.',
  });
}

/** The permissions on the files of a stage. */
const anyFile = (stage: string) =>
  [...new Set(fileActions.map(keysOf))].map((keys) => ({
    id:
      'AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::' +
      `${bucketName(stage, { account: '<AWS::AccountId>', region: '<AWS::Region>' })}/${keys}]`,
    reason: 'The keys of files are not known in advance. The bucket has nothing else.',
  }));

/** The permission on the downloads of a stage. */
const anyDownload = (stage: string) => ({
  id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${downloadsExport(stage)}/*]`,
  reason: 'The names of the files have their versions. The bucket has nothing else.',
});

export function acknowledgeFindings(
  scope: Construct,
  config: StageConfig,
  logGroups: readonly LogGroup[] = [],
): void {
  const findingsOfStage = [
    ...(config.waf ? [] : withoutFirewall),
    ...(config.tables.pointInTimeRecovery ? [] : withoutRecovery),
    ...(config.tracing ? [] : withoutTracing),
    ...(config.deployment === 'canary' ? withCanary : []),
    ...logGroups.flatMap(logStreams),
    ...anyFile(config.stage),
    anyDownload(config.stage),
  ];
  for (const finding of [...findingsOfAllStages, ...findingsOfStage])
    Validations.of(scope).acknowledge(finding);
}
