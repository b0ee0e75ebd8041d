/** The sources of a stage's settings, and the messages for mistakes in them. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { configOf, SettingsError, settingNames, stageNames } from '../../infra/config.ts';
import { functionName } from '../../infra/names.ts';
import { defaultLimits } from '../../lib/base/stage-limits.ts';
import { deadLettersName } from '../../lib/workers/worker.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';

const messageOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
};

test('dev and prod have a file each', () => {
  expect(stageNames()).toEqual(['dev', 'prod']);
  const prod = JSON.parse(readFileSync(resolve(root, 'stages/prod.json'), 'utf8'));
  expect(configOf('prod')).toMatchObject({ stage: 'prod', ...prod });
});

test('prod keeps its data, its logs and its stack; an idle dev costs nothing', () => {
  expect(configOf('prod')).toMatchObject({
    tables: { onRemoval: 'retain', deletionProtection: true, pointInTimeRecovery: true },
    logs: { onRemoval: 'retain' },
    terminationProtection: true,
    monitoring: true,
  });
  expect(configOf('dev')).toMatchObject({ monitoring: false, terminationProtection: false, tracing: false });
  expect(configOf('dev').waf).toBeUndefined();
});

test.each(['staging', 'toString', 'a-name-of-20-letters'])(
  'the unknown stage %j is refused with the existing ones, and how to add it',
  (stage) => {
    expect(messageOf(() => configOf(stage))).toBe(
      `There is no stage "${stage}", only dev and prod. To add it, copy stages/prod.json to stages/${stage}.json and change its settings.`,
    );
  },
);

test.each(['../prod', '', '1st', 'dev_2', 'dev-data', 'DEV-DATA', 'a-name-of-21-letters-'])(
  'the name %j of a stage is refused',
  (stage) => {
    expect(messageOf(() => configOf(stage))).toBe(
      `stages/${stage}.json: the name of a stage must have at most 20 letters, digits and hyphens, must start with a letter, and must not end with -data.`,
    );
  },
);

test("the longest stage leaves room for every function's and queue's name", () => {
  const stage = 'a-name-of-20-letters';
  for (const { id } of [...endpoints, ...workers]) {
    expect(functionName(stage, id).length, id).toBeLessThanOrEqual(64);
    expect(deadLettersName(stage, id).length, id).toBeLessThanOrEqual(80);
  }
});

test('context overrides a setting of the file, in parts or as JSON', () => {
  const config = configOf('prod', {
    alarmEmail: 'ops@example.com',
    'waf.requestsPerAddress': '50000',
    'throttle.methods': '{"knowledge.search":{"rate":50,"burst":100}}',
    'tags.costCenter': '4711',
    tracing: 'false',
    // CDK's own settings, and the stage's name.
    'aws:cdk:enable-path-metadata': true,
    '@aws-cdk/core:checkSecretUsage': true,
    'availability-zones:account=1:region=eu-central-1': ['eu-central-1a'],
    'acknowledged-issue-numbers': [1],
    'cli-telemetry': false,
    stage: 'prod',
  });
  expect(config).toMatchObject({
    alarmEmail: 'ops@example.com',
    waf: { requestsPerAddress: 50_000 },
    throttle: { ...configOf('prod').throttle, methods: { 'knowledge.search': { rate: 50, burst: 100 } } },
    tags: { costCenter: '4711' },
    tracing: false,
  });
  expect(configOf('prod', { waf: 'null' }).waf).toBeNull();
});

test.each([
  [{ alarmEmail: 'nobody' }, 'alarmEmail: Invalid email address'],
  [{ 'logs.retentionDays': '91' }, 'logs.retentionDays: must be one of 1, 3, 5'],
  [{ 'waf.requestsPerAdress': '5' }, 'waf: Unrecognized key: "requestsPerAdress"'],
  [{ 'throttle.rate': 'many' }, 'throttle.rate: must be a number'],
  [
    { 'throttle.methods': '{"nothing":{"rate":1,"burst":1}}' },
    'throttle.methods: Unrecognized key: "nothing"',
  ],
  [{ tables: '{}' }, 'tables.onRemoval: is required'],
  [{ alarmEmial: 'ops@example.com' }, 'Unrecognized key: "alarmEmial"'],
  [{ terminationprotection: 'false' }, 'Unrecognized key: "terminationprotection"'],
  [{ 'wav.requestsPerAddress': '5' }, 'Unrecognized key: "wav.requestsPerAddress"'],
  [{ secretsKeyArn: 'alias/mine' }, 'secretsKeyArn: must be an ARN like arn:aws:kms:'],
  [{ secretsKeyArn: 'arn:aws:kms:eu-central-1:1:key/a' }, 'secretsKeyArn: must be an ARN like arn:aws:kms:'],
  [{ 'tables.customerManagedKey': 'arn:aws:s3:::mine' }, 'tables.customerManagedKey: '],
  [{ 'customDomain.domainName': 'https://API.example.com' }, 'customDomain.domainName: must be a host name'],
  [{ 'customDomain.basePath': 'a/b' }, 'customDomain.basePath: must be one part of a path'],
  [{ 'customDomain.certificateArn': 'arn' }, 'customDomain.certificateArn: must be an ARN like arn:aws:acm:'],
  [{ 'customDomain.closeExecuteApi': 'maybe' }, 'customDomain.closeExecuteApi: '],
  [{ 'backup.keepDays': '36' }, 'backup.keepDays: '],
  [
    { backup: '{"keepDays":7,"copyToVaultArn":"copies"}' },
    'backup.copyToVaultArn: must be an ARN like arn:aws:backup:',
  ],
  [{ backup: '{"keepDays":7,"copyKeepDays":90}' }, 'backup.copyKeepDays: '],
  [{ 'accessTokens.issuer': 'https://a.example' }, 'accessTokens.0.audience: is required'],
  [
    { console: '{"issuer":"https://a.example","clientId":"console"}' },
    'console.issuer: must be the issuer of accessTokens',
  ],
])('%j is refused, and the message names the setting', (context, message) => {
  expect(messageOf(() => configOf('prod', context))).toMatch(
    /^The settings of the stage prod \(stages\/prod\.json, -c\) are invalid:\n/,
  );
  expect(messageOf(() => configOf('prod', context))).toContain(message);
});

test('a key or certificate of another account or region is refused, if the place of the deployment is known', () => {
  const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:123456789012:${name}`;
  const context = {
    'tables.customerManagedKey': arn('kms', 'key/a'),
    secretsKeyArn: arn('kms', 'key/b'),
    customDomain: JSON.stringify({
      domainName: 'api.example.com',
      certificateArn: arn('acm', 'certificate/c'),
      basePath: 'api',
    }),
  };
  const here = { account: '123456789012', region: 'eu-central-1' };
  expect(configOf('prod', context, here)).toMatchObject({ secretsKeyArn: arn('kms', 'key/b') });
  expect(configOf('prod', context)).toEqual(configOf('prod', context, here));
  for (const elsewhere of [
    { ...here, account: '210987654321' },
    { ...here, region: 'us-east-1' },
  ]) {
    const message = messageOf(() => configOf('prod', context, elsewhere));
    for (const name of ['tables.customerManagedKey', 'secretsKeyArn', 'customDomain.certificateArn']) {
      expect(message).toContain(`${name}: must be in the account and region of the stage`);
    }
  }
});

test('all mistakes are reported together', () => {
  const message = messageOf(() => configOf('prod', { tracing: 'maybe', alarmEmail: 'x' }));
  expect(message.split('\n')).toHaveLength(3);
});

test('alarmEmail without monitoring is refused', () => {
  expect(messageOf(() => configOf('dev', { alarmEmail: 'ops@example.com' }))).toContain(
    'alarmEmail: there are no alarms to send, because monitoring is false',
  );
});

test('access-token settings that the functions would refuse are refused before the deploy', () => {
  const accessTokens = { issuer: 'https://issuer.example', audience: 'platform' };
  const jwksUri = (address: string) => JSON.stringify({ ...accessTokens, jwksUri: address });
  expect(messageOf(() => configOf('dev', { accessTokens: jwksUri('http://issuer.example/keys') }))).toContain(
    'accessTokens: jwksUri is "http://issuer.example/keys"',
  );
  expect(
    configOf('dev', { accessTokens: jwksUri('https://issuer.example/keys') }).accessTokens,
  ).toMatchObject([{ algorithm: 'RS256', organisationClaim: 'organisation' }]);
});

test('by default, only test data has a limit; a stage can set limits and quotas of both', () => {
  expect(configOf('prod').limits).toEqual(defaultLimits);
  const live = { rateLimit: { requests: 500, per: '1s' }, quotas: { messages: 1000, jobs: 5 } };
  expect(configOf('prod', { 'limits.live': JSON.stringify(live) }).limits).toEqual({
    ...defaultLimits,
    live,
  });
  expect(configOf('prod', { 'limits.test': '{}' }).limits.test).toEqual({ rateLimit: null, quotas: {} });
  for (const wrong of [
    { rateLimit: { requests: 10_001, per: '1s' } },
    { rateLimit: { requests: 5, per: '1d' } },
    { quotas: { waits: 51 } },
    { quotas: { jobs: 101 } },
    { quotas: { documents: -1 } },
    { quotas: { avatars: 1 } },
  ]) {
    expect(messageOf(() => configOf('prod', { 'limits.live': JSON.stringify(wrong) }))).toContain(
      'limits.live',
    );
  }
});

/** The price is without meaning. */
const prices = { inputUsdPerMillionTokens: 0.06, outputUsdPerMillionTokens: 0.24 };
const modelOf = (more: object) => JSON.stringify([{ id: 'amazon.nova-lite-v1:0', ...prices, ...more }]);

describe('the models of a stage', () => {
  const endpoint = { id: 'own', baseUrl: 'https://models.example.com/v1', model: 'small' };
  const quota = (usd: number) => JSON.stringify({ quotas: { modelCostUsd: usd } });
  const limits = { 'limits.live': quota(100.25), 'limits.test': quota(0) };

  test('are none by default; with them, the stage also limits what a tenant spends in a day', () => {
    expect(configOf('prod').models).toEqual([]);
    const profile = { id: 'eu.amazon.nova-pro-v1:0', regions: ['eu-central-1', 'eu-west-1'] };
    const config = configOf('prod', { ...limits, models: modelOf({ ...profile, maxInputTokens: 300_000 }) });
    expect(config.models).toEqual([{ ...profile, ...prices, maxInputTokens: 300_000 }]);
    expect(config.limits.live.quotas.modelCostUsd).toBe(100.25);
  });

  test.each([
    [{}, ['live', 'test']],
    [{ 'limits.live': quota(5) }, ['test']],
    [{ 'limits.test': quota(5) }, ['live']],
  ])('are refused with the limits %j, and the message names what is missing', (given, missing) => {
    const message = messageOf(() => configOf('prod', { ...given, models: modelOf({}) }));
    expect(message.split('\n').slice(1)).toEqual(
      missing.map(
        (mode) =>
          `  limits.${mode}.quotas.modelCostUsd: must be set, because the stage lists models, and each of their answers costs`,
      ),
    );
  });

  test.each([
    [{ id: 'arn:aws:bedrock:eu-central-1::foundation-model/a.b' }, 'models.0.id: must be the id of a model'],
    [{ id: 'amazon.*' }, 'models.0.id: must be the id of a model'],
    [{ id: 'eu.amazon.nova-lite-v1:0' }, 'models.0.regions: must be given for an inference profile'],
    [{ regions: ['eu-west-1'] }, 'models.0.regions: must be given for an inference profile'],
    [{ id: 'eu.amazon.nova-lite-v1:0', regions: ['*'] }, 'models.0.regions.0: must be a region'],
    [{ inputUsdPerMillionTokens: -1 }, 'models.0.inputUsdPerMillionTokens'],
    [{ outputUsdPerMillionTokens: undefined }, 'models.0.outputUsdPerMillionTokens: is required'],
    [{ maxInputTokens: 10 }, 'models.0.maxInputTokens'],
    [{ model: 'small' }, 'models.0.model: is only for a model with a baseUrl'],
    [{ secretName: 'a' }, 'models.0.secretName: is only for a model with a baseUrl'],
    [{ ...endpoint, model: undefined }, 'models.0.model: is required'],
    [{ ...endpoint, inputUsdPerMillionTokens: undefined }, 'models.0.inputUsdPerMillionTokens: is required'],
    [{ ...endpoint, baseUrl: 'http://models.example.com/v1' }, 'models.0.baseUrl: must start with https://'],
    [{ ...endpoint, baseUrl: 'https://models.corp/v1' }, 'models.0.baseUrl: must have a public host name'],
    [{ ...endpoint, baseUrl: 'https://10.0.0.1/v1' }, 'models.0.baseUrl: must not be an address'],
    [
      { ...endpoint, baseUrl: 'https://a:b@models.example.com' },
      'models.0.baseUrl: must not contain a user name',
    ],
    [
      { ...endpoint, baseUrl: 'https://models.example.com/v1?a=b' },
      'models.0.baseUrl: must not have a query',
    ],
    [
      { ...endpoint, baseUrl: 'https://127.0.0.1/v1', privateHosts: ['127.0.0.1'] },
      'models.0.baseUrl: must not be an address',
    ],
    [{ ...endpoint, privateHosts: ['other.corp'] }, 'models.0.privateHosts: must be the host of the baseUrl'],
    [{ ...endpoint, regions: ['eu-west-1'] }, 'models.0.regions: is only for an inference profile'],
    [
      { ...endpoint, secretName: 'a', parameterName: 'b' },
      'models.0.parameterName: must not be given beside',
    ],
    [
      { ...endpoint, secretName: 'arn:aws:secretsmanager:eu-west-1:1:secret:a*' },
      'models.0.secretName: must be the name',
    ],
    [{ ...endpoint, parameterName: '/a/*' }, 'models.0.parameterName: must be the name'],
  ])('%j is refused', (more, message) => {
    expect(messageOf(() => configOf('prod', { ...limits, models: modelOf(more) }))).toContain(message);
  });

  test('are listed once', () => {
    const [model] = JSON.parse(modelOf({}));
    const models = JSON.stringify([model, model]);
    expect(messageOf(() => configOf('prod', { ...limits, models }))).toContain(
      'models: must not list a model twice',
    );
  });

  test.each([-1, 0.0000001, 1e10])('a quota of %d dollars is refused', (usd) => {
    const message = messageOf(() => configOf('prod', { 'limits.live': quota(usd) }));
    expect(message).toContain('limits.live.quotas.modelCostUsd');
  });
});

test('docs/runbook.md describes every setting', () => {
  const text = readFileSync(resolve(root, 'docs/runbook.md'), 'utf8');
  const section = text.slice(text.indexOf('\n## Stage settings'));
  const described = section.slice(0, section.indexOf('\n## ', 1));
  for (const name of settingNames) expect(described).toMatch(new RegExp(`^\\| \`${name}[\`.]`, 'm'));
});
