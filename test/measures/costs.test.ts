/** The costs in docs/costs.md, compared with figures calculated by hand. */

import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { stageNames } from '../../infra/config.ts';
import { monthlyCost } from '../../measures/costs.ts';
import { accessLine, logBytes, requestLine } from '../../measures/log-bytes.ts';
import { exampleMonth } from '../../measures/month.ts';
import { billedMs, costOfMillion } from '../../measures/prices.ts';
import { stacksOf } from '../../measures/stacks.ts';
import { workers } from '../../workers/index.ts';

const bare = { logBytes: 0, firewall: false, tracing: false };

test('the costs of a row equal those calculated by hand', () => {
  // projects.restore with a new key, with WAF and X-Ray, and 1074 bytes of log: about a GB per million.
  const units = { roundTrips: 3, readUnits: 3, writeUnits: 6 };
  const cost = costOfMillion(units, { logBytes: 1073.741824, firewall: true, tracing: true });
  expect(cost.gateway).toBe(3.5);
  // $0.20 for the requests, and 30 000 GB-seconds at $13.3334 a million.
  expect(cost.lambda).toBeCloseTo(0.2 + 0.400002, 9);
  // 3 x $0.125 + 6 x $0.625
  expect(cost.dynamodb).toBe(4.125);
  expect(cost.logs).toBeCloseTo(0.5, 9);
  expect(cost.firewall).toBe(0.6);
  // One in twenty at $5.
  expect(cost.tracing).toBe(0.25);
  expect(cost.total).toBeCloseTo(9.575002, 9);
});

test('features that a stage does not have cost nothing', () => {
  const { total } = costOfMillion({ roundTrips: 0, readUnits: 0, writeUnits: 0 }, bare);
  // API Gateway, the requests, and one millisecond each: 1000 GB-seconds.
  expect(total).toBeCloseTo(3.5 + 0.2 + 0.0133334, 9);
});

test('functions are billed per started millisecond, at least one', () => {
  expect([0, 1, 2].map((roundTrips) => billedMs({ roundTrips }))).toEqual([1, 10, 20]);
});

test('the sizes of log lines are those of their contents', () => {
  const format = '{"id":"$context.requestId","status":"$context.status"}';
  expect(accessLine(format)).toBe('{"id":"6f1c1d3e-8f0a-4c55-9b7e-2f4f0f6d1a2b","status":"200"}');
  const { request, lambda, access, total } = logBytes(format, 'prod');
  expect([request, access]).toEqual([Buffer.byteLength(requestLine('prod')), 60]);
  expect(total).toBe(request + lambda + access);
});

test('an unknown variable of the access log is an error', () => {
  expect(() => accessLine('$context.principalId')).toThrow('no value for $context.principalId');
});

describe('an idle stage', { tags: ['long'] }, () => {
  const idleCost = (stage: string) =>
    Object.values(monthlyCost(stacksOf(stage).resources))
      .filter(({ idle }) => idle)
      .reduce((sum, { count, each }) => sum + count * each, 0);

  test('dev costs its KMS key and what the polling of its queues costs: less than $8', () => {
    const cost = monthlyCost(stacksOf('dev').resources);
    const billed = Object.entries(cost).filter(([, { count }]) => count > 0);
    expect(billed.map(([name]) => name)).toEqual(['KMS keys', 'queues that Lambda polls']);
    expect(cost['queues that Lambda polls'].count).toBe(workers.length);
    // $1 the key. 648 000 requests a month to each queue.
    expect(idleCost('dev')).toBeCloseTo(1 + workers.length * 0.2592, 9);
    expect(idleCost('dev')).toBeLessThan(8);
  });

  test('prod costs its alarms, its dashboard and its firewall, besides what dev costs', () => {
    const { resources } = stacksOf('prod');
    const alarms = resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm').length;
    // $0.10 an alarm, $3 the dashboard, $5 the web ACL and $1 for each of its five rules.
    expect(idleCost('prod')).toBeCloseTo(alarms * 0.1 + 3 + 5 + 5 + idleCost('dev'), 9);
    expect(monthlyCost(resources)['metrics of the log lines'].count).toBe(
      4 * (endpoints.length + 1) + 2 * workers.length,
    );
  });

  /** None of these has a monthly price. Tables, buckets, logs and assets are billed by what they store. */
  const free = [
    'AWS::ApiGateway::Account',
    'AWS::ApiGateway::Deployment',
    'AWS::ApiGateway::GatewayResponse',
    'AWS::ApiGateway::Method',
    'AWS::ApiGateway::Resource',
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::Stage',
    'AWS::CDK::Metadata',
    'AWS::CodeDeploy::Application',
    'AWS::CodeDeploy::DeploymentGroup',
    'AWS::DynamoDB::Table',
    'AWS::Events::Rule',
    'AWS::IAM::Role',
    'AWS::KMS::Alias',
    'AWS::CloudFormation::Stack',
    'AWS::Lambda::Alias',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Permission',
    'AWS::Lambda::Function',
    'AWS::Lambda::Version',
    'AWS::Logs::LogGroup',
    'AWS::Logs::QueryDefinition',
    'AWS::S3::Bucket',
    'AWS::S3::BucketPolicy',
    'AWS::SNS::Subscription',
    'AWS::SNS::Topic',
    'AWS::SNS::TopicPolicy',
    'AWS::SQS::Queue',
    'AWS::SQS::QueuePolicy',
    'AWS::WAFv2::LoggingConfiguration',
    'AWS::WAFv2::WebACLAssociation',
  ];
  const counted = [
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::KMS::Key',
    'AWS::WAFv2::WebACL',
  ];

  test.each(stageNames())('every type of resource in %s is free or counted', (stage) => {
    const types = new Set(stacksOf(stage).resources.map(({ Type }) => Type));
    expect([...types].filter((type) => !free.includes(type) && !counted.includes(type))).toEqual([]);
  });

  test('no function is kept warm and no table has provisioned capacity, which would be billed', () => {
    for (const { Type, Properties } of stageNames().flatMap((stage) => stacksOf(stage).resources)) {
      expect(Properties, Type).not.toHaveProperty('ProvisionedConcurrencyConfig');
      expect(Properties, Type).not.toHaveProperty('CacheClusterEnabled');
      if (Type === 'AWS::DynamoDB::Table') expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
    }
  });
});

test('the example of a month adds up, and follows the rows of the endpoints', () => {
  const units = { roundTrips: 1, readUnits: 1, writeUnits: 1 };
  const ids = ['create', 'append', 'end', 'transcript'].map((verb) => `conversations.${verb}`);
  const rows = [...ids, 'knowledge.search', 'environments.config'].flatMap((id) =>
    ['', 'new'].map((variant) => ({ id, variant, ...units })),
  );
  const text = exampleMonth(rows, () => 10, { audit: 6, event: 4, delivery: 6 }, 20);
  const costs = [...text.matchAll(/\$([\d.]+)/g)].map(([, cost]) => Number(cost));
  // 30 000 at $10 a million; 600 000 messages of 16 write units at $0.625 a million.
  expect(costs[0]).toBe(0.3);
  expect(costs[6]).toBe(6);
  expect(costs.at(-2)).toBe(20);
  expect(costs.at(-1)).toBeCloseTo(
    costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0),
    1,
  );
});
