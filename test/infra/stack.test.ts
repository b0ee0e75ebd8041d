/** The template matches the declarations. */

import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { configOf, type StageConfig } from '../../infra/config.ts';
import { PlatformStack } from '../../infra/stack.ts';
import { defaultOidcSettings, oidcVariables } from '../../lib/credentials/oidc-settings.ts';
import { type Access, type TableName, tableNames, tables } from '../../lib/dynamodb/tables.ts';
import { errors } from '../../lib/http/errors.ts';
import { workers } from '../../workers/index.ts';

type Resource = { Type: string; Properties: unknown; DeletionPolicy?: string };
type Statement = { Effect: string; Action: string | string[]; Resource: unknown };

let resources: Record<string, Resource>;

beforeAll(() => {
  resources = Template.fromStack(new PlatformStack(new App(), 'Test', { config: configOf('prod') })).toJSON()
    .Resources;
});

const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);

const propertiesOf = (resource: Resource | undefined): unknown => resource?.Properties ?? {};

/** @returns the logical id in a `Ref` or `Fn::GetAtt` */
const target = (value: unknown): string => {
  const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0] ?? '';
};

const functionOf = (id: string) => {
  const found = ofType('AWS::Lambda::Function').find(([name]) =>
    name.startsWith(`${id.replace(/[.-]/g, '')}Function`),
  );
  if (!found) throw new Error(`${id} has no function`);
  return { logicalId: found[0], properties: found[1].Properties as Record<string, unknown> };
};

const tableOf = (logicalId: string): TableName => {
  const found = tableNames.find((table) => new RegExp(`^Tables${table}[0-9A-F]{8}$`).test(logicalId));
  if (!found) throw new Error(`${logicalId} is no table`);
  return found;
};

/** A function's permissions by table, without those for X-Ray and its own log, which every role has. */
function permissionsOf({ Role, LoggingConfig }: Record<string, unknown>) {
  const role = resources[target(Role)]?.Properties as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
    ManagedPolicyArns?: unknown;
  };
  expect(role.ManagedPolicyArns).toBeUndefined();
  const granted: Access = {};
  const others: [actions: string[], resource: unknown][] = [];
  for (const { Effect, Action, Resource } of role.Policies.flatMap(
    (policy) => policy.PolicyDocument.Statement,
  )) {
    expect(Effect).toBe('Allow');
    const actions = [Action].flat();
    const attribute = (Resource as { 'Fn::GetAtt'?: string[] })['Fn::GetAtt']?.[1];
    if (actions.every((action) => action.startsWith('xray:'))) continue;
    if (actions.every((action) => action.startsWith('logs:'))) {
      expect(target(Resource)).toBe(target((LoggingConfig as { LogGroup: unknown }).LogGroup));
    } else if (resources[target(Resource)]?.Type === 'AWS::DynamoDB::GlobalTable' && attribute === 'Arn') {
      const allowed = actions.map((action) => action.replace('dynamodb:', '')).sort();
      Object.assign(granted, { [tableOf(target(Resource))]: allowed });
    } else others.push([actions, Resource]);
  }
  return { granted, others };
}

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  test('has a function on Node 24 and arm64 with the names of its tables', () => {
    const { properties } = functionOf(id);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    const { Variables = {} } = (properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
    const declared = Object.keys(endpoint.access).map((table) => tables[table as TableName].variable);
    expect(Object.keys(Variables).sort()).toEqual([...declared, 'IDEMPOTENCY_HOURS', 'STAGE'].sort());
  });

  test('has exactly the declared permissions on tables, and may write its own log', () => {
    const { granted, others } = permissionsOf(functionOf(id).properties);
    expect(others).toEqual([]);
    expect(granted).toEqual(endpoint.access);
  });

  test('is reachable by its method and path', () => {
    const { logicalId } = functionOf(id);
    const methods = ofType('AWS::ApiGateway::Method').filter(([, { Properties }]) =>
      JSON.stringify((Properties as { Integration: unknown }).Integration).includes(`"${logicalId}"`),
    );
    expect(methods).toHaveLength(1);
    const { HttpMethod, ResourceId } = propertiesOf(methods[0]?.[1]) as {
      HttpMethod: string;
      ResourceId: unknown;
    };
    let path = '';
    for (let at = target(ResourceId); resources[at]?.Type === 'AWS::ApiGateway::Resource'; ) {
      const { PathPart, ParentId } = propertiesOf(resources[at]) as {
        PathPart: string;
        ParentId: unknown;
      };
      path = `/${PathPart}${path}`;
      at = target(ParentId);
    }
    expect(`${HttpMethod} ${path}`).toBe(`${endpoint.method} /v1${endpoint.path}`);
  });
});

/** "AWS CloudFormation quotas" and "Quotas for configuring and running a REST API in API Gateway". */
test('the stack has room below 500 resources, and the API below 300', () => {
  expect(Object.keys(resources).length).toBeLessThanOrEqual(480);
  expect(ofType('AWS::ApiGateway::Resource').length).toBeLessThanOrEqual(280);
});

test('no other policies exist, and only X-Ray has a wildcard', () => {
  expect(ofType('AWS::IAM::Policy')).toEqual([]);
  // One per function (the dispatcher and the scheduler too), and the one with which API Gateway writes its logs.
  expect(ofType('AWS::IAM::Role')).toHaveLength(endpoints.length + workers.length + 3);
  for (const [, resource] of ofType('AWS::IAM::Role')) {
    const { Policies = [] } = propertiesOf(resource) as {
      Policies?: { PolicyDocument: { Statement: Statement[] } }[];
    };
    const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const wild = statements.filter((statement) => JSON.stringify(statement).includes('*'));
    for (const { Action, Resource } of wild) {
      expect([Action, Resource]).toEqual([['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*']);
    }
  }
});

describe('a response of API Gateway itself', () => {
  const responses = () =>
    ofType('AWS::ApiGateway::GatewayResponse').map(
      ([, resource]) =>
        propertiesOf(resource) as {
          ResponseType: string;
          StatusCode: string;
          ResponseParameters: Record<string, string>;
          ResponseTemplates: Record<string, string>;
        },
    );

  test('is defined for every type', () => {
    const types = Object.values(ResponseType)
      .filter((type): type is ResponseType => type instanceof ResponseType)
      .map(({ responseType }) => responseType);
    expect(types.length).toBeGreaterThan(20);
    expect(
      responses()
        .map(({ ResponseType: type }) => type)
        .sort(),
    ).toEqual(types.sort());
  });

  test('has the envelope, a code of our table and the common headers', () => {
    for (const response of responses()) {
      const { error, success } = JSON.parse(response.ResponseTemplates['application/json'] ?? '');
      const row: { status: number; message: string; headers?: Readonly<Record<string, string>> } =
        errors[error.code as keyof typeof errors];
      expect(success).toBe(false);
      expect(error).toEqual({ code: error.code, message: row.message, requestId: '$context.requestId' });
      expect(response.StatusCode).toBe(String(row.status));
      const own = Object.entries(row.headers ?? {}).map(([name, value]) => [name, `'${value}'`]);
      const prefix = 'gatewayresponse.header.';
      const headers = Object.entries(response.ResponseParameters).map(([name, value]) => [
        name.replace(prefix, ''),
        value,
      ]);
      expect(Object.fromEntries(headers)).toEqual({
        'Cache-Control': "'no-store'",
        'X-Content-Type-Options': "'nosniff'",
        'X-Request-Id': 'context.requestId',
        ...Object.fromEntries(own),
      });
    }
  });

  test.each([
    ['MISSING_AUTHENTICATION_TOKEN', 'not_found'],
    ['THROTTLED', 'rate_limited'],
    ['REQUEST_TOO_LARGE', 'payload_too_large'],
    ['INTEGRATION_TIMEOUT', 'service_unavailable'],
    ['INTEGRATION_FAILURE', 'service_unavailable'],
  ])('%s is %s', (type, code) => {
    const response = responses().find(({ ResponseType: candidate }) => candidate === type);
    expect(response?.ResponseTemplates['application/json']).toContain(`"${code}"`);
  });
});

test('the stage is throttled, has metrics, and logs one line of JSON per request, without headers or query', () => {
  const [stage] = ofType('AWS::ApiGateway::Stage').map(([, resource]) => propertiesOf(resource)) as {
    MethodSettings: Record<string, unknown>[];
    AccessLogSetting: { Format: string };
    TracingEnabled: boolean;
  }[];
  const { throttle, tracing } = configOf('prod');
  expect(stage?.MethodSettings).toMatchObject([
    { ThrottlingRateLimit: throttle.rate, ThrottlingBurstLimit: throttle.burst, MetricsEnabled: true },
  ]);
  expect(stage?.MethodSettings[0]?.DataTraceEnabled).not.toBe(true);
  expect(stage?.TracingEnabled).toBe(tracing);
  const line = JSON.parse(stage?.AccessLogSetting.Format ?? '') as Record<string, string>;
  expect(line.requestId).toBe('$context.requestId');
  expect(JSON.stringify(line)).not.toMatch(/header|querystring|authorizer|apiKey/i);
});

test('TLS 1.2 is the minimum version', () => {
  const [api] = ofType('AWS::ApiGateway::RestApi').map(([, resource]) => propertiesOf(resource));
  expect(api).toMatchObject({
    SecurityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06',
    EndpointAccessMode: 'STRICT',
  });
});

test('every alarm says what users lose, and notifies the topic', () => {
  const alarms = ofType('AWS::CloudWatch::Alarm').map(
    ([, resource]) => propertiesOf(resource) as { AlarmDescription: string; AlarmActions: unknown[] },
  );
  expect(alarms.length).toBeGreaterThanOrEqual(4);
  for (const { AlarmDescription, AlarmActions } of alarms) {
    expect(AlarmDescription).toMatch(/^[^.]+\. .*\. See docs\/runbook\.md#alarms\.$/);
    expect(resources[target(AlarmActions[0])]?.Type).toBe('AWS::SNS::Topic');
  }
});

describe('with an issuer of access tokens', () => {
  const accessTokens = {
    ...defaultOidcSettings,
    issuer: 'https://issuer.example',
    audience: 'platform',
    jwksUri: 'https://issuer.example/keys',
  };
  const synthesise = (settings: typeof accessTokens) => {
    const config: StageConfig = { ...configOf('dev'), accessTokens: settings };
    return Template.fromStack(new PlatformStack(new App(), 'Tokens', { config }));
  };

  test('only functions that accept credentials have its settings', () => {
    const functions = Object.entries(synthesise(accessTokens).findResources('AWS::Lambda::Function'));
    for (const { id, auth } of endpoints) {
      const [, found] =
        functions.find(([name]) => name.startsWith(`${id.replace(/[.-]/g, '')}Function`)) ?? [];
      const variables: Record<string, unknown> = found?.Properties.Environment.Variables ?? {};
      const told = Object.entries(variables).filter(([name]) => name.startsWith('OIDC_'));
      expect(Object.fromEntries(told), id).toEqual(auth === 'public' ? {} : oidcVariables(accessTokens));
    }
  });
});

test('dev is a separate stack that leaves nothing behind and is free while idle', () => {
  const stack = new PlatformStack(new App(), 'Dev', { config: configOf('dev') });
  expect(stack.terminationProtection).toBe(false);
  const template = Template.fromStack(stack);
  for (const type of ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard', 'AWS::SNS::Topic']) {
    expect(Object.keys(template.findResources(type)), type).toEqual([]);
  }
  const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
  expect(stage?.Properties.MethodSettings).toMatchObject([{ MetricsEnabled: false }]);
  for (const { Properties } of Object.values(template.findResources('AWS::Lambda::Function'))) {
    expect(Properties.Environment.Variables).not.toHaveProperty('STAGE');
  }
  const logs = Object.values(template.findResources('AWS::Logs::LogGroup'));
  expect(new Set(logs.map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(new Set(['Delete']));
  const tablesOfDev = Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));
  expect(tablesOfDev.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(tableNames.map(() => 'Delete'));
  expect(Object.keys(template.findResources('AWS::WAFv2::WebACL'))).toEqual([]);
  expect(ofType('AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
});

test('a custom domain requires TLS 1.2 and has its own base path', () => {
  const config: StageConfig = {
    ...configOf('prod'),
    customDomain: {
      domainName: 'api.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a',
      basePath: 'platform',
    },
  };
  const template = Template.fromStack(new PlatformStack(new App(), 'Domain', { config }));
  template.hasResourceProperties('AWS::ApiGateway::DomainName', {
    DomainName: 'api.example.com',
    SecurityPolicy: 'TLS_1_2',
  });
  template.hasResourceProperties('AWS::ApiGateway::BasePathMapping', { BasePath: 'platform' });
});

test('prod has termination protection, and its logs outlive it', () => {
  const stack = new PlatformStack(new App(), 'Prod', { config: configOf('prod') });
  expect(stack.terminationProtection).toBe(true);
  expect(ofType('AWS::Logs::LogGroup').length).toBeGreaterThan(endpoints.length);
  for (const [, { DeletionPolicy, Properties }] of ofType('AWS::Logs::LogGroup')) {
    expect([DeletionPolicy, Properties]).toEqual([
      'Retain',
      expect.objectContaining({ RetentionInDays: 90 }),
    ]);
  }
});

test('every resource that supports tags has them', () => {
  const config = configOf('prod', { 'tags.costCenter': 'platform' });
  const stack = new PlatformStack(new App(), 'Tagged', { config });
  const tags = { service: 'platform-api', stage: 'prod', costCenter: 'platform' };
  const template = Template.fromStack(stack);
  expect(stack.tags.tagValues()).toEqual(tags);
  const pairs = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  for (const type of [
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::IAM::Role',
    'AWS::WAFv2::WebACL',
  ]) {
    for (const { Properties } of Object.values(template.findResources(type))) {
      expect(Properties.Tags).toEqual(expect.arrayContaining(pairs));
    }
  }
});

test('prod warns if nobody receives its alarms', () => {
  const warnings = (context: Record<string, string>) => {
    const app = new App();
    const stack = new PlatformStack(app, 'Warned', { config: configOf('prod', context) });
    return Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => entry.data);
  };
  expect(warnings({})).toEqual([
    expect.stringContaining(
      'Nobody receives the alarms of the stage prod. Set alarmEmail in stages/prod.json',
    ),
  ]);
  expect(warnings({ alarmEmail: 'ops@example.com' })).toEqual([]);
});

test('an endpoint can have its own throttle', () => {
  const config = configOf('prod', { 'throttle.methods': '{"projects.get":{"rate":5,"burst":7}}' });
  const template = Template.fromStack(new PlatformStack(new App(), 'Throttled', { config }));
  template.hasResourceProperties('AWS::ApiGateway::Stage', {
    MethodSettings: [
      Match.objectLike({ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1000 }),
      {
        HttpMethod: 'GET',
        ResourcePath: '/~1v1~1projects~1{project_id}',
        ThrottlingRateLimit: 5,
        ThrottlingBurstLimit: 7,
        MetricsEnabled: true,
        DataTraceEnabled: false,
      },
    ],
  });
});

test('every table is on demand, restorable and kept, and has TTL', () => {
  expect(ofType('AWS::DynamoDB::GlobalTable')).toHaveLength(tableNames.length);
  for (const [logicalId, { Properties, DeletionPolicy }] of ofType('AWS::DynamoDB::GlobalTable')) {
    expect(DeletionPolicy).toBe('Retain');
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    });
    const stream = (Properties as { StreamSpecification?: { StreamViewType: string } }).StreamSpecification;
    expect(stream?.StreamViewType).toBe(tables[tableOf(logicalId)].stream ? 'NEW_AND_OLD_IMAGES' : undefined);
  }
});

test("the API's stage is `api`", () => {
  expect(
    ofType('AWS::ApiGateway::Stage').map(
      ([, { Properties }]) => (Properties as { StageName: string }).StageName,
    ),
  ).toEqual(['api']);
});
