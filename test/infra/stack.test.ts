/** The template says what the declarations say. */

import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { PlatformStack } from '../../infra/stack.ts';
import { type TableName, tableNames, tables } from '../../lib/store/tables.ts';
import { bundle } from '../../scripts/bundle.ts';

type Resource = { Type: string; Properties: unknown; DeletionPolicy?: string };
type Statement = { Effect: string; Action: string | string[]; Resource: unknown };

let resources: Record<string, Resource>;

beforeAll(async () => {
  await bundle();
  resources = Template.fromStack(new PlatformStack(new App(), 'Test')).toJSON().Resources;
}, 60_000);

const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);

const propertiesOf = (resource: Resource | undefined): unknown => resource?.Properties ?? {};

/** @returns the logical id that a `Ref` or `Fn::GetAtt` names */
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
  const found = tableNames.find((table) => logicalId.startsWith(`Tables${table}`));
  if (!found) throw new Error(`${logicalId} is no table`);
  return found;
};

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  test('has a function on Node 24 and arm64 that knows its tables by name', () => {
    const { properties } = functionOf(id);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    const { Variables = {} } = (properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
    const declared = Object.keys(endpoint.access).map((table) => tables[table as TableName].variable);
    expect(Object.keys(Variables).sort()).toEqual(declared.sort());
  });

  test('may do to tables exactly what it declares, write its own log, and nothing else', () => {
    const { properties } = functionOf(id);
    const role = resources[target(properties.Role)]?.Properties as {
      Policies: { PolicyDocument: { Statement: Statement[] } }[];
      ManagedPolicyArns?: unknown;
    };
    expect(role.ManagedPolicyArns).toBeUndefined();
    const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const granted: Record<string, string[]> = {};
    for (const { Effect, Action, Resource } of statements) {
      expect(Effect).toBe('Allow');
      const actions = [Action].flat();
      const logicalId = target(Resource);
      if (actions.every((action) => action.startsWith('logs:'))) {
        expect(logicalId).toBe(target((properties.LoggingConfig as { LogGroup: unknown }).LogGroup));
        continue;
      }
      granted[tableOf(logicalId)] = actions.map((action) => action.replace('dynamodb:', '')).sort();
    }
    expect(granted).toEqual(endpoint.access);
  });

  test('is reached by its method and path', () => {
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

test('no other policy, and no wildcard', () => {
  expect(ofType('AWS::IAM::Policy')).toEqual([]);
  expect(ofType('AWS::IAM::Role')).toHaveLength(endpoints.length);
  for (const [, { Properties }] of ofType('AWS::IAM::Role')) {
    expect(JSON.stringify((Properties as { Policies: unknown }).Policies)).not.toContain('*');
  }
});

test('every table is on demand, restorable, expiring and kept', () => {
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
