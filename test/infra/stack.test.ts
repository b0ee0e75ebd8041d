/** The templates match the declarations. */

import { App } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { configOf, type StageConfig } from '../../infra/config.ts';
import { savedQueries } from '../../infra/saved-queries.ts';
import type { Release } from '../../infra/stack.ts';
import { addStacks } from '../../infra/stacks.ts';
import { keysOf } from '../../lib/base/files.ts';
import { fileKey } from '../../lib/bulk/exports/files/store.ts';
import { uploadKey } from '../../lib/bulk/imports/uploads/store.ts';
import { defaultIssuer, oidcVariables } from '../../lib/credentials/oidc-issuers.ts';
import { type Access, type TableName, tableNames, tables } from '../../lib/dynamodb/tables.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { errors } from '../../lib/http/errors.ts';
import { minimumCompressionBytes } from '../../lib/http/raw-documents.ts';
import { maxStreamSeconds, streamLeaseMs, streamTimeoutSeconds } from '../../lib/http/stream-times.ts';
import { messageMs } from '../../lib/mcp/exchange.ts';
import { callMs } from '../../lib/mcp/server.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { type Resource, Synthesised, stacksOf } from '../../measures/stacks.ts';
import { functionFolder } from '../../scripts/bundle/bundle.ts';
import { workers } from '../../workers/index.ts';

type Statement = { Effect: string; Action: string | string[]; Resource: unknown; Condition?: unknown };

let prod: Synthesised;

beforeAll(() => {
  prod = stacksOf('prod');
});

const ofType = (type: string) => prod.ofType(type);

/** The properties of the only resource of a type. */
function only<Properties>(type: string, among: Synthesised = prod): Properties {
  const found = among.ofType(type);
  expect(found, type).toHaveLength(1);
  return found[0]?.Properties as Properties;
}

const functionOf = (id: string, among: Synthesised = prod): Resource => {
  const name = `${id.replace(/[.-]/g, '')}Function`;
  const found = among.ofType('AWS::Lambda::Function').find(({ logicalId }) => logicalId.startsWith(name));
  if (!found) throw new Error(`${id} has no function`);
  return found;
};

const withDomain = (more: Partial<NonNullable<StageConfig['customDomain']>>): StageConfig => ({
  ...configOf('prod'),
  customDomain: {
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a',
    basePath: 'platform',
    closeExecuteApi: false,
    ...more,
  },
});

const made = new Map<string, Synthesised>();

/** @returns the stacks with a few of the functions, for tests of settings that are about no function. Cached */
function withFew(config: StageConfig): Synthesised {
  const key = JSON.stringify(config);
  const known = made.get(key) ?? new Synthesised(config, few);
  made.set(key, known);
  return known;
}

const few: Release = {
  endpoints: endpoints.filter(({ id }) => ['projects.get', 'uploads.create'].includes(id)),
  workers: workers.filter(({ id }) => ['knowledge-indexer', 'audit-writer'].includes(id)),
};

/** @returns the table that an ARN in a template names */
const tableIn = (arn: unknown, stage = 'prod'): TableName | undefined => {
  const text = JSON.stringify(arn);
  return tableNames.find((table) => text.includes(`:table/PlatformApi-${stage}-${table}"`));
};

/** The statements of a role. */
function statementsOf({ Properties }: Resource): Statement[] {
  const { Policies = [], ManagedPolicyArns } = Properties as {
    Policies?: { PolicyDocument: { Statement: Statement[] } }[];
    ManagedPolicyArns?: unknown;
  };
  expect(ManagedPolicyArns).toBeUndefined();
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The key of secrets, as the stack of the functions names it. */
/** What a role needs for what its function does with files. */
const fileActions = {
  put: 's3:PutObject',
  remove: 's3:DeleteObject',
  read: 's3:GetObject',
  link: 's3:GetObject',
  uploadLink: 's3:PutObject',
};
/** The ARN of files of the stage, as a template has it. */
const onDownloads = {
  'Fn::Join': [
    '',
    expect.arrayContaining([{ 'Fn::ImportValue': 'PlatformApi-prod-data-DownloadsBucket' }, '/*']),
  ],
};
const onFiles = (keys: string) => ({ 'Fn::Join': ['', expect.arrayContaining([`-files/${keys}`])] });
const secretsKeyArn = {
  'Fn::GetStackOutput': { StackName: 'PlatformApi-prod-data', OutputName: 'SecretsKeyArn' },
};

test('the key of secrets is kept, is rotated, and is usable for secrets of webhooks only', () => {
  const [key] = ofType('AWS::KMS::Key');
  expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
  const roles = ofType('AWS::IAM::Role')
    .filter(({ logicalId }) => !/CloudWatchRole|^Canary/.test(logicalId))
    .flatMap(statementsOf);
  const using = roles.filter(({ Action }) => JSON.stringify(Action).includes('kms:'));
  const uses = using.map(({ Action }) => Action).sort();
  const encrypting = endpoints.filter(({ encrypts }) => encrypts).map(() => 'kms:Encrypt');
  const decrypting = workers.filter(({ decrypts }) => decrypts).map(() => 'kms:Decrypt');
  expect(uses).toEqual([...decrypting, ...encrypting]);
  for (const { Condition, Resource } of using) {
    expect(Resource).toEqual(secretsKeyArn);
    expect(Condition).toEqual({ Null: { 'kms:EncryptionContext:webhook': 'false' } });
  }
});

test('no function may send webhooks to its own machine', () => {
  expect(JSON.stringify([...prod.templates.values()])).not.toContain('WEBHOOKS_TO_LOOPBACK');
});

/** A function's permissions by table, without those for X-Ray and its log, which every role has. */
function permissionsOf({ stack, Properties }: Resource) {
  const { Role, LoggingConfig } = Properties as { Role: unknown; LoggingConfig: { LogGroup: unknown } };
  const role = prod.named(stack, Role);
  if (!role) throw new Error('no role');
  const granted: Access = {};
  const others: [actions: string[], resource: unknown][] = [];
  for (const { Effect, Action, Resource } of statementsOf(role)) {
    expect(Effect).toBe('Allow');
    const actions = [Action].flat();
    const table = tableIn(Resource);
    if (actions.every((action) => action.startsWith('xray:'))) continue;
    if (actions.every((action) => action.startsWith('logs:'))) {
      const group = prod.named(stack, Resource);
      expect(group?.Type).toBe('AWS::Logs::LogGroup');
      expect(group).toBe(prod.target(stack, LoggingConfig.LogGroup));
    } else if (table) {
      const allowed = actions.map((action) => action.replace('dynamodb:', '')).sort();
      Object.assign(granted, { [table]: allowed });
    } else others.push([actions, Resource]);
  }
  return { granted, others };
}

/** @returns the alias `live` of a function, which has its newest version */
function liveOf({ stack, logicalId }: Resource): Resource {
  const [alias, ...others] = ofType('AWS::Lambda::Alias').filter(
    (each) =>
      each.stack === stack && prod.target(stack, each.Properties.FunctionName)?.logicalId === logicalId,
  );
  if (!alias) throw new Error(`${logicalId} has no alias`);
  expect(others).toEqual([]);
  return alias;
}

test.each([...endpoints, ...workers].map(({ id }) => id))(
  '%s has a version that outlives its release, and the alias `live` for it',
  (id) => {
    const { stack, logicalId } = functionOf(id);
    const alias = liveOf(functionOf(id));
    expect(alias.Properties.Name).toBe('live');
    const version = prod.named(stack, alias.Properties.FunctionVersion);
    expect(version).toMatchObject({ Type: 'AWS::Lambda::Version', DeletionPolicy: 'Retain' });
    expect(prod.target(stack, version?.Properties.FunctionName)?.logicalId).toBe(logicalId);
  },
);

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  test('has a function on Node 24 and arm64 with the names of its tables', () => {
    const { Properties } = functionOf(id);
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: endpoint.memoryMb,
      Handler: 'index.handler',
    });
    const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
    const declared = Object.keys(endpoint.access).map((table) => tables[table as TableName].variable);
    const settings = [
      ...['COMMIT', 'IDEMPOTENCY_HOURS', 'STAGE', 'VERSION'],
      ...(endpoint.auth === 'public' ? [] : ['LIMITS']),
      ...(endpoint.files.length > 0 ? ['FILES_BUCKET'] : []),
      ...(endpoint.downloads ? ['DOWNLOADS_BUCKET'] : []),
      ...(endpoint.encrypts ? ['SECRETS_KEY'] : []),
      ...(id === 'console.page' ? ['CONSOLE_UPLOAD_ORIGIN'] : []),
      ...(endpoint.forwards ? ['API_URL'] : []),
    ];
    expect(Object.keys(Variables).sort()).toEqual([...declared, ...settings].sort());
  });

  test('has exactly the declared permissions on tables, and may write to its log', () => {
    const { granted, others } = permissionsOf(functionOf(id));
    expect(others).toEqual([
      ...endpoint.files.map((action) => [[fileActions[action]], onFiles(keysOf(action))]),
      ...(endpoint.downloads ? [[['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], onDownloads]] : []),
      ...(endpoint.encrypts ? [[['kms:Encrypt'], secretsKeyArn]] : []),
    ]);
    expect(granted).toEqual(endpoint.access);
  });

  test('is reached by its method and path, through its alias, by a role that may call it', () => {
    const live = liveOf(functionOf(id));
    const [method, ...others] = ofType('AWS::ApiGateway::Method').filter(
      ({ stack, Properties: { Integration } }) =>
        prod.named(stack, (Integration as { Uri: unknown }).Uri) === live,
    ) as [Resource];
    expect(others).toEqual([]);
    const { HttpMethod, ResourceId, Integration } = method.Properties;
    let path = '';
    let at = prod.target(method.stack, ResourceId);
    while (at?.Type === 'AWS::ApiGateway::Resource') {
      path = `/${at.Properties.PathPart}${path}`;
      at = prod.target(at.stack, at.Properties.ParentId);
    }
    expect(`${HttpMethod} ${path}`).toBe(`${endpoint.method} /v1${endpoint.path}`);
    const role = prod.named(method.stack, (Integration as { Credentials: unknown }).Credentials) as Resource;
    const allowed = statementsOf(role).flatMap(({ Resource }) =>
      [Resource].flat().map((arn) => prod.target(role.stack, arn)),
    );
    expect(allowed).toContain(live);
  });
});

test('no other policies exist, and only X-Ray, the streams of a log group and the files have a wildcard', () => {
  expect(ofType('AWS::IAM::Policy')).toEqual([]);
  // For the rule that starts the scheduler.
  expect(ofType('AWS::Lambda::Permission')).toHaveLength(1);
  for (const role of ofType('AWS::IAM::Role').filter(
    ({ logicalId }) => !/CloudWatchRole|^Canary/.test(logicalId),
  )) {
    const wild = statementsOf(role).filter((statement) => JSON.stringify(statement).includes('*'));
    for (const { Action, Resource } of wild) {
      if (JSON.stringify(Action).includes('"s3:')) {
        expect(JSON.stringify(Resource)).toMatch(
          /:s3:::(platform-prod-.*-files\/\*\/(job_|uploads\/upl_)?|",\{"Fn::ImportValue":"[\w-]+-DownloadsBucket"\},"\/)\*"\]\]\}$/,
        );
        continue;
      }
      if (prod.named(role.stack, Resource)?.Type === 'AWS::Logs::LogGroup') {
        expect(JSON.stringify(Resource)).toMatch(/:log-group:",\{"Ref":"\w+"\},":\*"\]\]\}$/);
        continue;
      }
      expect([Action, Resource]).toEqual([['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*']);
    }
  }
});

describe('a response of API Gateway itself', () => {
  const responses = () =>
    ofType('AWS::ApiGateway::GatewayResponse').map(
      ({ Properties }) =>
        Properties as {
          ResponseType: string;
          StatusCode: string;
          ResponseParameters: Record<string, string>;
          ResponseTemplates: Record<string, string>;
        },
    );

  /** With the status and the code of a default, which API Gateway uses for them. */
  const asDefault = [
    'API_CONFIGURATION_ERROR',
    'AUTHORIZER_CONFIGURATION_ERROR',
    'AUTHORIZER_FAILURE',
    'BAD_REQUEST_PARAMETERS',
  ];
  /** Types of features that the API does not have. */
  const neverSent = ['INVALID_API_KEY', 'QUOTA_EXCEEDED', 'UNAUTHORIZED'];

  test('is defined for every type, or is a default', () => {
    const types = Object.values(ResponseType)
      .filter((type): type is ResponseType => type instanceof ResponseType)
      .map(({ responseType }) => responseType);
    expect(types.length).toBeGreaterThan(20);
    const defined = responses().map(({ ResponseType: type }) => type);
    expect([...defined, ...asDefault, ...neverSent].sort()).toEqual(types.sort());
    expect(defined).toEqual(expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX']));
  });

  test('is of no authorizer, API key or usage plan, because there is none', () => {
    const types = ['Authorizer', 'ApiKey', 'UsagePlan'].map((type) => `AWS::ApiGateway::${type}`);
    expect(types.flatMap(ofType)).toEqual([]);
    for (const { Properties } of ofType('AWS::ApiGateway::Method')) {
      expect([Properties.AuthorizationType, Properties.ApiKeyRequired]).toEqual(['NONE', undefined]);
    }
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

describe('the function behind /mcp', () => {
  const urlIn = (among: Synthesised) =>
    (functionOf('mcp.post', among).Properties.Environment as { Variables: Record<string, unknown> }).Variables
      .API_URL;
  const withMcp: Release = { ...few, endpoints: endpoints.filter(({ id }) => id === 'mcp.post') };

  test('has no permission but to write to its log', () => {
    expect(permissionsOf(functionOf('mcp.post'))).toEqual({ granted: {}, others: [] });
  });

  test('has the address of the API from the id of the API, and not from its stage, which would make a cycle', () => {
    const { stack } = functionOf('mcp.post');
    const parts = (urlIn(prod) as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1];
    const [scheme, id, ...others] = parts;
    expect(scheme).toBe('https://');
    expect(prod.target(stack, id)?.Type).toBe('AWS::ApiGateway::RestApi');
    expect(others).toEqual([
      '.execute-api.',
      { Ref: 'AWS::Region' },
      '.',
      { Ref: 'AWS::URLSuffix' },
      '/api/v1',
    ]);
  });

  test('has the custom domain, if there is one, also if the other address is closed', () => {
    for (const closeExecuteApi of [false, true]) {
      const among = new Synthesised(withDomain({ closeExecuteApi }), withMcp);
      expect(urlIn(among)).toBe('https://api.example.com/platform/v1');
    }
  });

  test('ends after its calls of the API', () => {
    expect(functionOf('mcp.post').Properties.Timeout).toBeGreaterThan(messageMs / 1000);
    expect(messageMs).toBeGreaterThanOrEqual(callMs);
    expect(callMs).toBe(15_000);
  });
});

test('the gateway refuses the methods for which an endpoint has a hint, with Allow and the envelope', () => {
  const refusing = ofType('AWS::ApiGateway::Method').flatMap(({ stack, Properties }) => {
    const { HttpMethod, ResourceId, Integration, MethodResponses } = Properties as {
      HttpMethod: string;
      ResourceId: unknown;
      Integration: {
        Type: string;
        RequestTemplates: Record<string, string>;
        IntegrationResponses: {
          StatusCode: string;
          ResponseParameters: Record<string, string>;
          ResponseTemplates: Record<string, string>;
        }[];
      };
      MethodResponses: { StatusCode: string; ResponseParameters: Record<string, boolean> }[];
    };
    if (Integration.Type !== 'MOCK') return [];
    const [response] = Integration.IntegrationResponses;
    expect(JSON.parse(Integration.RequestTemplates['application/json'] ?? '')).toEqual({ statusCode: 405 });
    expect(response?.StatusCode).toBe('405');
    // The gateway drops a header that the method does not declare.
    expect(MethodResponses).toMatchObject([{ StatusCode: '405' }]);
    expect(Object.keys(MethodResponses[0]?.ResponseParameters ?? {}).sort()).toEqual(
      Object.keys(response?.ResponseParameters ?? {}).sort(),
    );
    expect(response?.ResponseParameters).toMatchObject({
      'method.response.header.Content-Type': "'application/json'",
      'method.response.header.Cache-Control': "'no-store'",
      'method.response.header.X-Request-Id': 'context.requestId',
    });
    const body = JSON.parse(response?.ResponseTemplates['application/json'] ?? '');
    expect(body).toMatchObject({
      success: false,
      error: { code: 'method_not_allowed', requestId: '$context.requestId' },
    });
    // Velocity would take anything else for a variable or a directive.
    expect(body.error.message).not.toMatch(/[$#]/);
    const path = prod.target(stack, ResourceId)?.Properties.PathPart;
    return [`${HttpMethod} …/${path} ${response?.ResponseParameters['method.response.header.Allow']}`];
  });
  const declared = endpoints.flatMap(({ path, method, otherMethods }) =>
    Object.keys(otherMethods).map((other) => `${other} …/${path.split('/').at(-1)} '${method}'`),
  );
  expect(declared).toEqual(
    expect.arrayContaining(["GET …/messages 'POST'", "GET …/mcp 'POST'", "DELETE …/mcp 'POST'"]),
  );
  expect(refusing.sort()).toEqual(declared.sort());
});

test('the stage is throttled, has metrics, and logs one line of JSON per request, without headers or query', () => {
  const stage = only<{
    MethodSettings: Record<string, unknown>[];
    AccessLogSetting: { Format: string };
    TracingEnabled: boolean;
  }>('AWS::ApiGateway::Stage');
  const { throttle, tracing } = configOf('prod');
  expect(stage.MethodSettings).toMatchObject([
    { ThrottlingRateLimit: throttle.rate, ThrottlingBurstLimit: throttle.burst, MetricsEnabled: true },
    // Each of these requests occupies two functions.
    {
      ResourcePath: '/~1v1~1mcp',
      ThrottlingRateLimit: throttle.methods['mcp.post']?.rate,
      ThrottlingBurstLimit: throttle.methods['mcp.post']?.burst,
    },
  ]);
  expect(stage.MethodSettings[0]?.DataTraceEnabled).not.toBe(true);
  expect(stage.TracingEnabled).toBe(tracing);
  const line = JSON.parse(stage.AccessLogSetting.Format) as Record<string, string>;
  expect(line.requestId).toBe('$context.requestId');
  expect(JSON.stringify(line)).not.toMatch(/header|querystring|authorizer|apiKey/i);
});

test('the gateway compresses responses, and treats none as binary', () => {
  const api = only('AWS::ApiGateway::RestApi');
  expect(api).toMatchObject({ MinimumCompressionSize: minimumCompressionBytes });
  // With binary media types, functions would get and return base64.
  expect(api).not.toHaveProperty('BinaryMediaTypes');
});

test('TLS 1.2 is the minimum version', () => {
  expect(only('AWS::ApiGateway::RestApi')).toMatchObject({
    SecurityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06',
    EndpointAccessMode: 'STRICT',
  });
});

test('the API is deployed after its methods', () => {
  const { Resources = {} } = prod.templates.get('PlatformApi-prod') ?? {};
  const [deployment] = Object.values(Resources).filter(({ Type }) => Type === 'AWS::ApiGateway::Deployment');
  const { DependsOn = [] } = (deployment ?? {}) as { DependsOn?: string[] };
  const nested = ofType('AWS::CloudFormation::Stack').map(({ logicalId }) => logicalId);
  // The others have alarms, deployment groups and workers, and no methods.
  const families = nested.filter((id) => !/^(Monitoring(Service|Workers)|CanaryBackground|Workers)/.test(id));
  expect(families).toHaveLength(nested.length - 4);
  expect(DependsOn).toEqual(expect.arrayContaining(families));
});

test('every alarm says what users lose, and notifies the topic', () => {
  const alarms = ofType('AWS::CloudWatch::Alarm');
  expect(alarms.length).toBeGreaterThanOrEqual(4);
  for (const { stack, Properties } of alarms) {
    expect(Properties.AlarmDescription).toMatch(/^[^.]+\. .*\. See docs\/runbook\.md#alarms\.$/);
    const [action] = Properties.AlarmActions as unknown[];
    expect(prod.target(stack, action)?.Type).toBe('AWS::SNS::Topic');
  }
});

describe('with an issuer of access tokens, a commit and a tag', () => {
  const accessTokens = [
    {
      ...defaultIssuer,
      issuer: 'https://issuer.example',
      audience: 'platform',
      jwksUri: 'https://issuer.example/keys',
    },
  ];
  const commit = '4cd1a73b0e12';
  let stacks: Synthesised;
  beforeAll(() => {
    const config = configOf('prod', { 'tags.costCenter': 'platform' });
    const console = { issuer: 'https://issuer.example', clientId: 'console' };
    stacks = new Synthesised({ ...config, accessTokens, commit, console });
  });

  test('only functions that accept credentials have the settings of the issuer', () => {
    for (const { id, auth } of endpoints) {
      const { Properties } = functionOf(id, stacks);
      const { Variables = {} } = Properties.Environment as { Variables?: Record<string, unknown> };
      const told = Object.entries(Variables).filter(([name]) => name.startsWith('OIDC_'));
      expect(Object.fromEntries(told), id).toEqual(auth === 'public' ? {} : oidcVariables(accessTokens));
    }
  });

  test('only the page of the console has its OIDC client, with the audience of the issuer, and the origin of files', () => {
    for (const { id } of endpoints) {
      const { Properties } = functionOf(id, stacks);
      const { Variables = {} } = Properties.Environment as { Variables?: Record<string, unknown> };
      const expected = { issuer: 'https://issuer.example', clientId: 'console', resource: 'platform' };
      const found = Variables.CONSOLE_SIGN_IN as string | undefined;
      expect(found && JSON.parse(found), id).toEqual(id === 'console.page' ? expected : undefined);
      expect('CONSOLE_UPLOAD_ORIGIN' in Variables, id).toBe(id === 'console.page');
    }
  });

  test('every function names the commit that is deployed', { tags: ['long'] }, () => {
    const commitsIn = (among: Synthesised) =>
      among
        .ofType('AWS::Lambda::Function')
        .map(
          ({ Properties }) =>
            (Properties.Environment as { Variables: Record<string, string> }).Variables.COMMIT,
        );
    expect(new Set(commitsIn(stacks))).toEqual(new Set([commit]));
    expect(new Set(commitsIn(stacksOf('dev')))).toEqual(new Set(['unknown']));
  });

  test('every resource that supports tags has them', () => {
    const tags = { service: 'platform-api', stage: 'prod', costCenter: 'platform' };
    const pairs = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    for (const type of [
      'AWS::Lambda::Function',
      'AWS::Logs::LogGroup',
      'AWS::DynamoDB::Table',
      'AWS::IAM::Role',
      'AWS::WAFv2::WebACL',
    ]) {
      const tagged = stacks.ofType(type);
      expect(tagged.length, type).toBeGreaterThan(0);
      for (const { Properties } of tagged) expect(Properties.Tags).toEqual(expect.arrayContaining(pairs));
    }
  });
});

test('dev has separate stacks that leave nothing behind', () => {
  const { data, platform } = addStacks(new App(), configOf('dev'), few);
  expect([data.terminationProtection, platform.terminationProtection]).toEqual([false, false]);
  const dev = stacksOf('dev');
  for (const type of ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard', 'AWS::SNS::Topic']) {
    expect(dev.ofType(type), type).toEqual([]);
  }
  const stage = only<{ MethodSettings: unknown[] }>('AWS::ApiGateway::Stage', dev);
  expect(stage.MethodSettings).toMatchObject([{ MetricsEnabled: false }]);
  for (const { Properties } of dev.ofType('AWS::Lambda::Function')) {
    expect((Properties.Environment as { Variables: object }).Variables).not.toHaveProperty('STAGE');
  }
  for (const { DeletionPolicy } of dev.ofType('AWS::Logs::LogGroup')) expect(DeletionPolicy).toBe('Delete');
  const tablesOfDev = dev.ofType('AWS::DynamoDB::Table');
  expect(tablesOfDev.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(tableNames.map(() => 'Delete'));
  expect(dev.ofType('AWS::WAFv2::WebACL')).toEqual([]);
  expect(ofType('AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
});

test('a custom domain requires TLS 1.2, has its own base path, and is the base URL', () => {
  const stacks = withFew(withDomain({}));
  expect(only('AWS::ApiGateway::DomainName', stacks)).toMatchObject({
    DomainName: 'api.example.com',
    SecurityPolicy: 'TLS_1_2',
  });
  expect(only('AWS::ApiGateway::BasePathMapping', stacks)).toMatchObject({ BasePath: 'platform' });
  const outputs = stacks.outputsOf('PlatformApi-prod');
  expect(outputs.BaseUrl).toBe('https://api.example.com/platform/v1');
  const domain = stacks.ofType('AWS::ApiGateway::DomainName')[0]?.logicalId;
  expect([outputs.DomainTarget, outputs.DomainZone]).toEqual([
    { 'Fn::GetAtt': [domain, 'RegionalDomainName'] },
    { 'Fn::GetAtt': [domain, 'RegionalHostedZoneId'] },
  ]);
  expect(JSON.stringify(prod.outputsOf('PlatformApi-prod').BaseUrl)).toContain('.execute-api.');
});

test('the address of API Gateway is closed only if a setting says so, by a deployment of its own', () => {
  const [open, closed] = [withDomain({}), withDomain({ closeExecuteApi: true })].map(withFew);
  expect(only('AWS::ApiGateway::RestApi', open)).toMatchObject({ DisableExecuteApiEndpoint: false });
  expect(only('AWS::ApiGateway::RestApi', closed)).toMatchObject({ DisableExecuteApiEndpoint: true });
  // API Gateway applies it when the API is deployed again.
  const deployment = (stacks?: Synthesised) => stacks?.ofType('AWS::ApiGateway::Deployment')[0]?.logicalId;
  expect(deployment(open)).not.toBe(deployment(closed));
});

describe('a stage that names its keys', () => {
  const tableArn = 'arn:aws:kms:eu-central-1:123456789012:key/tables';
  const secretsArn = 'arn:aws:kms:eu-central-1:123456789012:key/secrets';
  const named = configOf('prod', { 'tables.customerManagedKey': tableArn, secretsKeyArn: secretsArn });

  test('makes none, encrypts the tables with the one, and tells the functions the other', () => {
    const stacks = withFew(named);
    expect(stacks.ofType('AWS::KMS::Key')).toEqual([]);
    expect(stacks.ofType('AWS::KMS::Alias')).toEqual([]);
    for (const { Properties } of stacks.ofType('AWS::DynamoDB::Table')) {
      expect(Properties.SSESpecification).toMatchObject({ SSEType: 'KMS', KMSMasterKeyId: tableArn });
    }
    // The functions read this output.
    expect(stacks.outputsOf('PlatformApi-prod-data').SecretsKeyArn).toBe(secretsArn);
  });

  test('and without names, its keys outlive it with their aliases, by which they are found', () => {
    const stacks = withFew(configOf('prod', { 'tables.customerManagedKey': 'true' }));
    const kept = [...stacks.ofType('AWS::KMS::Key'), ...stacks.ofType('AWS::KMS::Alias')];
    expect(kept.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([
      'Retain',
      'Retain',
      'Retain',
      'Retain',
    ]);
    expect(stacks.ofType('AWS::KMS::Alias').map(({ Properties }) => Properties.AliasName)).toEqual(
      expect.arrayContaining(['alias/PlatformApi-prod', 'alias/PlatformApi-prod-secrets']),
    );
  });
});

describe('a stage with backups', () => {
  const vault = 'arn:aws:backup:eu-central-1:210987654321:backup-vault:copies';
  const stacks = () =>
    withFew(configOf('prod', { backup: JSON.stringify({ keepDays: 7, copyToVaultArn: vault }) }));

  test('backs up daily what is worth it, and copies it to a vault of another account', () => {
    const made = stacks();
    const plan = only<{ BackupPlan: { BackupPlanRule: unknown[] } }>('AWS::Backup::BackupPlan', made);
    expect(plan.BackupPlan.BackupPlanRule).toMatchObject([
      {
        ScheduleExpression: 'cron(0 3 * * ? *)',
        Lifecycle: { DeleteAfterDays: 7 },
        CopyActions: [{ DestinationBackupVaultArn: vault, Lifecycle: { DeleteAfterDays: 35 } }],
      },
    ]);
    const selection = only<{ BackupSelection: { Resources: unknown[] } }>(
      'AWS::Backup::BackupSelection',
      made,
    );
    const saved = selection.BackupSelection.Resources.map((arn) => made.target('PlatformApi-prod-data', arn));
    const recoverable = made
      .ofType('AWS::DynamoDB::Table')
      .filter(
        ({ Properties }) =>
          (Properties.PointInTimeRecoverySpecification as { PointInTimeRecoveryEnabled: boolean })
            .PointInTimeRecoveryEnabled,
      );
    expect(saved).toEqual(recoverable);
  });

  test('keeps the vault and its key, and lets nothing but AWS Backup use its role', () => {
    const made = stacks();
    const [kept] = made.ofType('AWS::Backup::BackupVault');
    expect(kept).toMatchObject({ stack: 'PlatformApi-prod-data', DeletionPolicy: 'Retain' });
    const key = made.target('PlatformApi-prod-data', kept?.Properties.EncryptionKeyArn);
    expect(key).toMatchObject({ Type: 'AWS::KMS::Key', DeletionPolicy: 'Retain' });
    const roles = made.ofType('AWS::IAM::Role').filter(({ logicalId }) => /^Backups/.test(logicalId));
    expect(roles).toHaveLength(1);
    expect(JSON.stringify(roles[0]?.Properties.AssumeRolePolicyDocument)).toContain('backup.amazonaws.com');
  });

  test('has none unless its settings say so', () => {
    expect(ofType('AWS::Backup::BackupVault')).toEqual([]);
  });
});

test('prod has termination protection, and its logs outlive it', () => {
  const { data, platform } = addStacks(new App(), configOf('prod'), few);
  expect([data.terminationProtection, platform.terminationProtection]).toEqual([true, true]);
  const groups = ofType('AWS::Logs::LogGroup');
  // Of the endpoints, the workers, the gateway and the firewall.
  expect(groups).toHaveLength(4);
  for (const { stack, DeletionPolicy, Properties } of groups) {
    expect(stack).toBe('PlatformApi-prod');
    expect([DeletionPolicy, Properties]).toEqual([
      'Retain',
      expect.objectContaining({ RetentionInDays: 90 }),
    ]);
  }
});

test('what holds data is in a stack of its own, which the other one needs', () => {
  const { data, platform } = addStacks(new App(), configOf('prod'), few);
  expect(platform.dependencies).toEqual([data]);
  const withData = [
    ...['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::S3::BucketPolicy'],
    ...['AWS::KMS::Key', 'AWS::KMS::Alias'],
  ];
  for (const { Type, stack } of prod.resources) {
    expect([Type, stack === 'PlatformApi-prod-data']).toEqual([Type, withData.includes(Type)]);
  }
});

// MiniStack forgets the attributes of unchanged resources when it updates a nested stack.
test('nothing in a nested stack depends on an attribute of a resource', () => {
  const nested = [...prod.templates].filter(([name]) => name.includes('/'));
  expect(nested.length).toBeGreaterThan(5);
  for (const [name, template] of nested) expect(JSON.stringify(template), name).not.toContain('Fn::GetAtt');
});

// For each nested stack, `cdk deploy --hotswap` would read the attribute of the log group from the account.
test('no nested stack needs an attribute of a log group, so a hotswap finds all it needs', () => {
  const nested = prod.ofType('AWS::CloudFormation::Stack');
  expect(nested.length).toBeGreaterThan(5);
  const groups = ofType('AWS::Logs::LogGroup').map(({ logicalId }) => logicalId);
  const read = nested.flatMap(({ Properties }) =>
    [...JSON.stringify(Properties).matchAll(/"Fn::GetAtt":\["(\w+)"/g)].map(([, name]) => name),
  );
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((name) => groups.includes(name ?? ''))).toEqual([]);
});

test('prod warns if nobody receives its alarms', () => {
  const warnings = (context: Record<string, string>) => {
    const { platform } = addStacks(new App(), configOf('prod', context), few);
    return Annotations.fromStack(platform)
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
  const stage = only<{ MethodSettings: unknown[] }>('AWS::ApiGateway::Stage', withFew(config));
  expect(stage).toMatchObject({
    MethodSettings: [
      { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1000 },
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

test('every table is on demand, restorable, protected and kept, and has a fixed name and TTL; counters, events and deliveries have no backups', () => {
  const names = ofType('AWS::DynamoDB::Table').map(({ Properties }) => Properties.TableName);
  expect(names).toEqual(tableNames.map((table) => `PlatformApi-prod-${table}`));
  for (const { Properties, DeletionPolicy } of ofType('AWS::DynamoDB::Table')) {
    const table = tableNames.find((name) => Properties.TableName === `PlatformApi-prod-${name}`);
    expect(DeletionPolicy).toBe('Retain');
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: !['limits', 'events', 'deliveries'].includes(`${table}`),
      },
    });
    const stream = Properties.StreamSpecification as { StreamViewType: string } | undefined;
    expect(stream?.StreamViewType).toBe(table && tables[table].stream ? 'NEW_AND_OLD_IMAGES' : undefined);
  }
});

test("the API's stage is `api`", () => {
  expect(only<{ StageName: string }>('AWS::ApiGateway::Stage').StageName).toBe('api');
});

test('with `canary`, CodeDeploy shifts every alias, and back when an alarm about requests is on', () => {
  expect(configOf('prod').deployment).toBe('canary');
  const aliases = ofType('AWS::Lambda::Alias');
  expect(aliases).toHaveLength(endpoints.length + workers.length + 2);
  const groups = ofType('AWS::CodeDeploy::DeploymentGroup');
  expect(groups).toHaveLength(aliases.length);
  for (const { stack, Properties } of groups) {
    expect(Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
      AlarmConfiguration: { Enabled: true },
    });
    const { Alarms } = Properties.AlarmConfiguration as { Alarms: { Name: unknown }[] };
    const names = Alarms.map(({ Name }) => prod.target(stack, Name)?.logicalId.slice(0, -8));
    expect(names).toEqual(['ServerErrors', 'Latency', 'DatabaseErrors']);
  }
  expect(stacksOf('dev').ofType('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
});

test('a later worker and a later family of endpoints are in nested stacks', () => {
  const [endpoint] = few.endpoints as [Endpoint];
  const [worker] = few.workers as [Worker];
  const later: Release = {
    endpoints: [...few.endpoints, { ...endpoint, id: 'widgets.get', path: '/widgets/{project_id}' }],
    workers: [...few.workers, { ...worker, id: 'widget-counter' }],
    folderOf: ({ id }) => functionFolder({ id: { 'widgets.get': endpoint.id }[id] ?? worker.id }),
  };
  const [before, after] = [withFew(configOf('prod')), new Synthesised(configOf('prod'), later)];
  const size = ({ templates }: Synthesised) =>
    Object.keys(templates.get('PlatformApi-prod')?.Resources ?? {}).length;
  expect(size(after) - size(before)).toBe(2);
  const stackOf = (id: string) => functionOf(id, after).stack;
  expect([stackOf('widgets.get'), stackOf('widget-counter')]).toEqual([
    'PlatformApi-prod/widgets',
    'PlatformApi-prod/Workers',
  ]);
  for (const name of ['widgets', 'Workers']) {
    const template = JSON.stringify(after.templates.get(`PlatformApi-prod/${name}`));
    expect(template).not.toContain('Fn::GetAtt');
  }
  // Its queue is declared after its dead-letter queue, which it names.
  const queues = after.ofType('AWS::SQS::Queue').filter(({ stack }) => stack === 'PlatformApi-prod/Workers');
  expect(queues).toEqual([
    expect.not.objectContaining({ DependsOn: expect.anything() }),
    expect.objectContaining({ DependsOn: [queues[0]?.logicalId] }),
  ]);
});

/** Of 500, so that the endpoints and workers fit that come later. */
const maxResources = 360;

test(`no stack has more than ${maxResources} resources`, () => {
  const sizes = [...prod.templates].map(([name, { Resources = {} }]) => ({
    name,
    resources: Object.keys(Resources).length,
  }));
  expect(sizes.filter(({ resources }) => resources > maxResources)).toEqual([]);
});

test('saved queries read the log groups of the stage', () => {
  const queries = ofType('AWS::Logs::QueryDefinition');
  expect(queries.map(({ Properties }) => Properties.Name)).toEqual(
    savedQueries.map(({ name }) => `platform-api/prod/${name}`),
  );
  for (const { stack, Properties } of queries) {
    const groups = (Properties.LogGroupNames as unknown[]).map((name) => prod.target(stack, name)?.Type);
    expect(new Set(groups)).toEqual(new Set(['AWS::Logs::LogGroup']));
  }
});

test('functions log JSON, Lambda too', () => {
  for (const { Properties } of ofType('AWS::Lambda::Function')) {
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON' });
  }
});

test('an alarm is on at 80 % of the concurrency limit of the account', () => {
  const alarms = ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  expect(alarms.filter(({ MetricName }) => MetricName === 'ClaimedAccountConcurrency')).toMatchObject([
    { Threshold: 800, Statistic: 'Maximum' },
  ]);
});

describe('a stage with a key and a trail of its own', () => {
  test('encrypts every table with a key that is kept, and that only DynamoDB uses', () => {
    const stacks = withFew(configOf('prod', { 'tables.customerManagedKey': 'true' }));
    const key = stacks.ofType('AWS::KMS::Key').find(({ logicalId }) => logicalId.startsWith('Tables'));
    expect(key).toMatchObject({
      stack: 'PlatformApi-prod-data',
      DeletionPolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
    expect(JSON.stringify(key?.Properties.KeyPolicy)).toContain('"kms:ViaService"');
    for (const { stack, Properties } of stacks.ofType('AWS::DynamoDB::Table')) {
      const { SSEEnabled, SSEType, KMSMasterKeyId } = Properties.SSESpecification as Record<string, unknown>;
      expect([SSEEnabled, SSEType, stacks.target(stack, KMSMasterKeyId)]).toEqual([true, 'KMS', key]);
    }
  });

  test('records every read and write of the tables', () => {
    const stacks = withFew(configOf('prod', { 'tables.dataEvents': 'true' }));
    const trail = only<{
      AdvancedEventSelectors: { FieldSelectors: { Field: string; Equals: unknown[] }[] }[];
    }>('AWS::CloudTrail::Trail', stacks);
    const [selector] = trail.AdvancedEventSelectors;
    const arns = selector?.FieldSelectors.find(({ Field }) => Field === 'resources.ARN')?.Equals;
    expect(arns).toHaveLength(tableNames.length);
    const buckets = stacks.ofType('AWS::S3::Bucket').filter(({ logicalId }) => /^DataEvents/.test(logicalId));
    expect(buckets).toMatchObject([{ DeletionPolicy: 'Retain' }]);
  });

  test('has neither unless its settings say so', () => {
    expect(ofType('AWS::KMS::Key').map(({ logicalId }) => logicalId)).toEqual([
      expect.stringMatching(/^SecretsKey/),
    ]);
    expect(ofType('AWS::CloudTrail::Trail')).toEqual([]);
  });
});

test('with a key of its own, the stage encrypts the bucket of files with it, and functions and links may use it', () => {
  const stacks = withFew(configOf('prod', { 'tables.customerManagedKey': 'true' }));
  const key = stacks.ofType('AWS::KMS::Key').find(({ logicalId }) => logicalId.startsWith('Tables'));
  const [bucket] = stacks.ofType('AWS::S3::Bucket');
  const rule = {
    BucketKeyEnabled: true,
    ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: expect.anything() },
  };
  expect(bucket?.Properties.BucketEncryption).toEqual({ ServerSideEncryptionConfiguration: [rule] });
  expect(JSON.stringify(bucket?.Properties.BucketEncryption)).toContain(key?.logicalId);
  const policy = JSON.stringify(key?.Properties.KeyPolicy);
  expect(policy).toContain('"ThroughDynamoDbAndS3"');
  expect(policy).toMatch(/"kms:ViaService":\[.*"s3\."/);
});

test('the role that signs uploads may write uploads, and no other file', () => {
  const { others } = permissionsOf(functionOf('uploads.create'));
  expect(others).toEqual([[['s3:PutObject'], onFiles('*/uploads/upl_*')]]);
  // What the patterns match.
  const upload = uploadKey({ tenant: 'org_1#live#proj_1#uploads', id: 'upl_1' });
  const part = fileKey({ tenant: 'org_1#live#proj_1#parts', id: 'job_1#000001#call_1' });
  expect([upload, part]).toEqual([
    'org_1/live/proj_1/uploads/upl_1',
    'org_1/live/proj_1/job_1/000001/call_1',
  ]);
});

test('the bucket of files is encrypted, private, reached by TLS only, and emptied after a day', () => {
  const [bucket] = buckets(prod, 'Files');
  expect(bucket?.Properties).toMatchObject({
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    LifecycleConfiguration: { Rules: [{ ExpirationInDays: 1, Status: 'Enabled' }] },
  });
  expect(bucket).toMatchObject({ DeletionPolicy: 'Retain' });
  expect(buckets(stacksOf('dev'), 'Files')).toMatchObject([{ DeletionPolicy: 'Delete' }]);
});

test('the bucket of downloads is private, has a generated name, and is kept in every stage', () => {
  for (const stacks of [prod, stacksOf('dev')]) {
    const [bucket, ...others] = buckets(stacks, 'Downloads');
    expect(others).toEqual([]);
    expect(bucket).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(bucket?.Properties).toMatchObject({
      PublicAccessBlockConfiguration: { BlockPublicPolicy: true, RestrictPublicBuckets: true },
    });
    expect(bucket?.Properties).not.toHaveProperty('BucketName');
    expect(bucket?.Properties).not.toHaveProperty('LifecycleConfiguration');
  }
});

test('every bucket is reached by TLS only', () => {
  const policies = ofType('AWS::S3::BucketPolicy');
  expect(policies).toHaveLength(2);
  for (const { Properties } of policies) {
    expect((Properties.PolicyDocument as { Statement: object[] }).Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  }
});

test('bytes and events are streamed, everything else is not', () => {
  const modes = ofType('AWS::ApiGateway::Method').map(({ Properties }) => {
    const { Uri, ResponseTransferMode } = Properties.Integration as {
      Uri: unknown;
      ResponseTransferMode?: string;
    };
    // The 405 of the gateway itself has no function.
    const uri = JSON.stringify(Uri ?? '');
    return [
      uri.includes(':lambda:path/2021-11-15/functions/') &&
        uri.endsWith('/response-streaming-invocations"]]}'),
      ResponseTransferMode === 'STREAM',
    ];
  });
  expect(modes.filter(([hasUri, hasMode]) => hasUri !== hasMode)).toEqual([]);
  expect(modes.filter(([hasUri]) => hasUri)).toHaveLength(
    endpoints.filter(({ raw }) => raw === 'bytes' || raw === 'events').length,
  );
});

test('only a stream of events has more time than the gateway gives other responses', () => {
  const ids = endpoints.filter(({ raw }) => raw === 'events').map(({ id }) => id);
  expect(ids).toEqual(['replies.events']);
  const slow = endpoints.filter(({ id }) => Number(functionOf(id).Properties.Timeout) > 28);
  expect(slow.map(({ id }) => id)).toEqual(ids);
  expect(functionOf('replies.events').Properties.Timeout).toBe(streamTimeoutSeconds);
  const methods = ofType('AWS::ApiGateway::Method').filter(
    ({ Properties }) => 'TimeoutInMillis' in (Properties.Integration as object),
  );
  expect(methods.map(({ Properties }) => Properties.Integration)).toEqual([
    expect.objectContaining({
      Type: 'AWS_PROXY',
      ResponseTransferMode: 'STREAM',
      TimeoutInMillis: (streamTimeoutSeconds + 1) * 1000,
    }),
  ]);
  // The last reads of a stream are two calls, each with three attempts of three seconds. Its lease outlives its function.
  expect(streamTimeoutSeconds - maxStreamSeconds).toBeGreaterThanOrEqual(18);
  expect(streamLeaseMs).toBeGreaterThan(streamTimeoutSeconds * 1000);
});

/** The action of both kinds of invocation is `lambda:InvokeFunction` ("InvokeWithResponseStream", AWS Lambda API Reference). */
test('the role of the gateway may invoke the function that streams events', () => {
  const method = ofType('AWS::ApiGateway::Method').find(({ Properties }) =>
    JSON.stringify(Properties.Integration).includes('TimeoutInMillis'),
  );
  const { Credentials, Uri } = (method?.Properties.Integration ?? {}) as {
    Credentials?: unknown;
    Uri?: unknown;
  };
  const alias = /"Ref":"([^"]*Live[^"]*)"/.exec(JSON.stringify(Uri))?.[1] ?? 'no alias';
  const roles = ofType('AWS::IAM::Role').filter(
    ({ logicalId, Properties }) =>
      JSON.stringify(Credentials).includes(logicalId) &&
      JSON.stringify(Properties.Policies).includes('lambda:InvokeFunction') &&
      JSON.stringify(Properties.Policies).includes(alias),
  );
  expect(roles).toHaveLength(1);
});

const buckets = (stacks: typeof prod, name: string) =>
  stacks.ofType('AWS::S3::Bucket').filter(({ logicalId }) => logicalId.startsWith(name));

test('the settings name the stream of a replaced table', () => {
  const arn = 'arn:aws:dynamodb:eu-central-1:1:table/PlatformApi-prod-jobs/stream/2026-11-21';
  const stacks = withFew(configOf('prod', { 'tables.streams': JSON.stringify({ jobs: arn }) }));
  const sources = stacks.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
  expect(sources.filter(({ EventSourceArn }) => EventSourceArn === arn)).toHaveLength(1);
});
