/** The template of the firewall of prod, and the requests of test/infra/firewall-requests.curl, which docs/runbook.md sends to a real one. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countedRules, refusedLabels } from '../../infra/firewall-rules.ts';
import { stacksOf } from '../../measures/stacks.ts';
import { openApi } from '../../samples/api.ts';

/** The options of each request in a configuration of curl, as pairs of name and value. */
const requests = readFileSync(resolve(import.meta.dirname, 'firewall-requests.curl'), 'utf8')
  .split(/^next$/m)
  .map((text) =>
    [...text.matchAll(/^([a-z-]+) = (".*")$/gm)].map(
      ([, name = '', value = '']) => [name, JSON.parse(value) as string] as const,
    ),
  );

const propertiesOf = (type: string): Record<string, unknown> => {
  const [found] = stacksOf('prod').ofType(type);
  return found?.Properties ?? {};
};

const acl = propertiesOf('AWS::WAFv2::WebACL').Rules as { VisibilityConfig: unknown }[];

/** A group of AWS that only counts: as a whole, and each of its rules, so that none stops the others. */
const counted = (name: string, group: keyof typeof countedRules) => ({
  Name: name,
  OverrideAction: { Count: {} },
  Statement: {
    ManagedRuleGroupStatement: {
      VendorName: 'AWS',
      Name: group,
      RuleActionOverrides: countedRules[group].map((rule) => ({ Name: rule, ActionToUse: { Count: {} } })),
    },
  },
});

test('floods, listed attackers and refused labels are blocked; everything else only counts', () => {
  const labels = refusedLabels.map((Key) => ({ LabelMatchStatement: { Scope: 'LABEL', Key } }));
  const rules = [
    {
      Name: 'PerAddress',
      Action: { Block: {} },
      Statement: { RateBasedStatement: { Limit: 10_000, AggregateKeyType: 'IP' } },
    },
    {
      Name: 'Reputation',
      OverrideAction: { None: {} },
      Statement: { ManagedRuleGroupStatement: { Name: 'AWSManagedRulesAmazonIpReputationList' } },
    },
    counted('KnownBadInputs', 'AWSManagedRulesKnownBadInputsRuleSet'),
    counted('Common', 'AWSManagedRulesCommonRuleSet'),
    { Name: 'Refused', Action: { Block: {} }, Statement: { OrStatement: { Statements: labels } } },
  ];
  expect(acl).toMatchObject(rules.map((rule, Priority) => ({ ...rule, Priority })));
  expect(propertiesOf('AWS::WAFv2::WebACL').DefaultAction).toEqual({ Allow: {} });
});

test('no refused label is about a body, a query or a path, because users write these', () => {
  expect(refusedLabels.filter((label) => !/_(Header|Cookie|Method)$/.test(label))).toEqual([]);
});

test('no refused label is about a User-Agent that is missing, or about a group that is not counted', () => {
  const prefixes = /^awswaf:managed:aws:(core-rule-set|known-bad-inputs):/;
  expect(refusedLabels.filter((label) => !prefixes.test(label) || /NoUserAgent/.test(label))).toEqual([]);
});

describe('firewall-requests.curl', () => {
  const titled = requests.map((options) => {
    const { 'write-out': title = '', url = '', request: method = '', data } = Object.fromEntries(options);
    const headers = options.filter(([name]) => name === 'header').map(([, header]) => header.split(': '));
    const expected = /^expected (401|403): %\{http_code\}, /.exec(title)?.[1];
    return [title.trim(), { url, method, data, headers, expected }] as const;
  });

  test('has requests that a firewall refuses, and requests that it lets pass', () => {
    expect(new Set(titled.map(([, { expected }]) => expected))).toEqual(new Set(['401', '403']));
  });

  const passing = titled.filter(([, { expected }]) => expected === '401');
  test.each(passing)('without a firewall, only the key is missing: %s', async (_, one) => {
    const { call } = await openApi();
    const body = one.data === undefined ? {} : { body: JSON.parse(one.data) as object };
    const headers = Object.fromEntries(one.headers) as Record<string, string>;
    expect((await call(one.method, one.url, { key: '', headers, ...body })).status).toBe(401);
  });
});

describe('a refusal can be explained', () => {
  test('every rule has a metric and samples', () => {
    const { VisibilityConfig } = propertiesOf('AWS::WAFv2::WebACL');
    for (const visibility of [VisibilityConfig, ...acl.map((rule) => rule.VisibilityConfig)]) {
      expect(visibility).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: true });
    }
  });

  test('WAF logs refused requests, without secrets, queries or bodies', () => {
    expect(propertiesOf('AWS::WAFv2::LoggingConfiguration')).toMatchObject({
      LogDestinationConfigs: [expect.anything()],
      RedactedFields: [
        { SingleHeader: { Name: 'authorization' } },
        { SingleHeader: { Name: 'idempotency-key' } },
        { SingleHeader: { Name: 'cookie' } },
        { QueryString: {} },
      ],
      LoggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [{ Behavior: 'KEEP', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
      },
    });
    const { DataProtectionConfig } = propertiesOf('AWS::WAFv2::WebACL');
    expect(DataProtectionConfig).toEqual({
      DataProtections: [
        {
          Field: { FieldType: 'SINGLE_HEADER', FieldKeys: ['authorization', 'idempotency-key', 'cookie'] },
          Action: 'SUBSTITUTION',
        },
        { Field: { FieldType: 'QUERY_STRING' }, Action: 'SUBSTITUTION' },
        { Field: { FieldType: 'BODY' }, Action: 'SUBSTITUTION' },
      ],
    });
  });

  test('its log group has the prefix that WAF requires, and a unique name per stack', () => {
    const groups = stacksOf('prod').ofType('AWS::Logs::LogGroup');
    const named = groups.flatMap(({ Properties }) => Properties.LogGroupName ?? []);
    expect(named).toHaveLength(1);
    expect(JSON.stringify(named)).toMatch(/aws-waf-logs-platform-api-prod-.*AWS::StackId/);
  });

  test("the access log has WAF's response and request id", () => {
    const { AccessLogSetting } = propertiesOf('AWS::ApiGateway::Stage');
    expect(JSON.parse((AccessLogSetting as { Format: string }).Format)).toMatchObject({
      extendedRequestId: '$context.extendedRequestId',
      wafResponse: '$context.wafResponseCode',
      wafError: '$context.waf.error',
    });
  });
});
