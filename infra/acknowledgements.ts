/** Rules of cdk-nag's packs that do not fit, each with its reason. test/infra/nag.test.ts lets no other finding pass. */

import { Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

const acknowledged = [
  {
    id: 'AwsSolutions::AwsSolutions-APIG2',
    reason:
      'Requests are validated by the functions, from the same schemas that the documentation shows: the gateway could ' +
      'not name the fields that are wrong.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason:
      'Every function checks the API key itself, by a strongly consistent read: an authorizer would cache it, and a ' +
      'revoked key would go on working.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-COG4',
    reason: 'Callers are programs with API keys, not users of a Cognito pool.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG6',
    reason:
      'Execution logs would hold headers, bodies and with them keys. The access log and the functions’ own lines have ' +
      'what is needed.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason:
      'The role with which API Gateway writes its logs, one per account and region, as AWS documents it.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason: "X-Ray's writes know no resource. Nothing else has a wildcard: test/infra/stack.test.ts looks.",
  },
  {
    id: 'Serverless::Serverless-LambdaStarPermissions',
    reason: "X-Ray's writes know no resource. Nothing else has a wildcard: test/infra/stack.test.ts looks.",
  },
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason:
      'An endpoint is called synchronously: the caller gets the failure, and repeats the request. What a worker fails ' +
      'at goes where its event source says.',
  },
  ...['AwsSolutions::AwsSolutions-SQS3', 'Serverless::Serverless-SQSRedrivePolicy'].map((id) => ({
    id,
    reason: 'The only queues are those for dead letters themselves: test/infra/stack.test.ts looks.',
  })),
];

const withoutFirewall = [
  { id: 'AwsSolutions::AwsSolutions-APIG3', reason: 'This stage has no `waf` in its settings.' },
];

const withoutTracing = [
  'Serverless::Serverless-APIGWXrayEnabled',
  'Serverless::Serverless-LambdaTracing',
].map((id) => ({ id, reason: 'This stage has X-Ray off in its settings.' }));

export function acknowledgeFindings(scope: Construct, config: StageConfig): void {
  const chosen = [...(config.waf ? [] : withoutFirewall), ...(config.tracing ? [] : withoutTracing)];
  for (const finding of [...acknowledged, ...chosen]) Validations.of(scope).acknowledge(finding);
}
