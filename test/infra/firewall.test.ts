/** The firewall of prod refuses nothing that the API allows. test/support models AWS's rules. */

import { beforeAll, describe, expect, test } from 'vitest';
import { stacksOf } from '../../bench/stacks.ts';
import { endpoints } from '../../functions/index.ts';
import { countedRules } from '../../infra/firewall-rules.ts';
import { type CallOptions, openApi, type TestApi } from '../support/api.ts';
import { type AclRule, inspect, managedRules, type WebRequest } from '../support/firewall-model.ts';
import { sampleOf } from '../support/samples.ts';

let acl: AclRule[];
let api: TestApi;

const propertiesOf = (type: string): Record<string, unknown> => {
  const [found] = stacksOf('prod').ofType(type);
  return found?.Properties ?? {};
};

beforeAll(async () => {
  acl = propertiesOf('AWS::WAFv2::WebACL').Rules as AclRule[];
  api = await openApi();
});

const key = `sk_live_${'0'.repeat(100)}`;

/** A request in the form that the firewall inspects. */
function webRequest(method: string, path: string, { body, headers }: CallOptions = {}): WebRequest {
  const url = new URL(path, 'https://abc123.execute-api.eu-central-1.amazonaws.com');
  return {
    method,
    path: decodeURIComponent(`/api/v1${url.pathname}`),
    query: url.search.slice(1),
    headers: { Host: url.host, Authorization: `Bearer ${key}`, ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** The API accepts it, and the firewall does too. */
async function expectAllowed(method: string, path: string, options: CallOptions = {}) {
  const response = await api.call(method, path, options);
  expect(response.status, response.text).toBeLessThan(300);
  for (const headers of [{}, { 'User-Agent': 'python-requests/2.32.3' }]) {
    const request = webRequest(method, path, { ...options, headers: { ...options.headers, ...headers } });
    expect(inspect(acl, request).refusedBy).toBeUndefined();
  }
}

test('a sample request of every endpoint passes, with a User-Agent and without', async () => {
  for (const { id, method } of endpoints) {
    const { path, body } = await sampleOf(id, api);
    expect(inspect(acl, webRequest(method, path, { body })).refusedBy, id).toBeUndefined();
  }
});

const jndi = ['$', '{jndi:ldap://example.com/}'].join('');

/** Texts that people write and that AWS's rules treat as attacks. */
const texts = {
  'a script': '<p>Paste this:</p><script>alert("hello")</script>',
  'a path that goes up': 'The settings are in ../../config/app.ini, the log in /var/log/app.log.',
  'an address with an IPv4 host':
    'The printer is at http://192.168.0.17/setup, its files at file://10.0.0.1/share.',
  'the address of the metadata service': 'Instances read http://169.254.169.254/latest/meta-data/.',
  'how to check for Log4Shell': `Log the text ${jndi} and see what happens.`,
  'a Java exploit': 'Do not deserialise (java.lang.Runtime).getRuntime().exec("whoami").',
  'a React exploit': 'The body had {"then":"$1:__proto__:then"} in it.',
  SQL: "Robert'); DROP TABLE students;-- 1=1 UNION SELECT password FROM users",
  'a long text': 'Everything about returns. '.repeat(4000),
};

describe.each(Object.entries(texts))('%s', (_, text) => {
  test('HTML in a document', async () => {
    const path = `/projects/${await api.createProject()}/knowledge/documents`;
    await expectAllowed('POST', path, { body: { title: 'Notes', mimeType: 'text/html', content: text } });
  });

  test('HTML in a prompt or a message', async () => {
    const project = `/projects/${await api.createProject()}`;
    const persona = { prompt: text.slice(0, 8000) };
    await expectAllowed('POST', `${project}/avatars`, { body: { name: 'Ada', persona } });
    const conversation = await api.createConversation({ channel: 'web' });
    const messages = [{ role: 'user', text: text.slice(0, 8000) }];
    await expectAllowed('POST', `${conversation}/messages`, { body: { messages } });
  });

  test('HTML in a query or a path', async () => {
    const short = text.slice(0, 200);
    const { path } = await sampleOf('knowledge.search', api);
    const search = `${path.split('?')[0]}?q=${encodeURIComponent(short)}`;
    await expectAllowed('GET', search);
    const documents = `/projects/${await api.createProject()}/knowledge/documents`;
    await expectAllowed('PUT', `${documents}/by-external-id/${encodeURIComponent(short.trim())}`, {
      body: { title: 'Notes', content: 'Text.' },
    });
  });
});

test('a search for 500 Chinese characters, which are 4500 bytes of query', async () => {
  const { path } = await sampleOf('knowledge.search', api);
  const question = '我昨天在北京的商店买了一部新手机但是它坏了'.repeat(24).slice(0, 500);
  const search = `${path.split('?')[0]}?q=${encodeURIComponent(question)}`;
  expect(search.length).toBeGreaterThan(4500);
  await expectAllowed('GET', search);
});

test('file names as external ids, up to the longest', async () => {
  const documents = `/projects/${await api.createProject()}/knowledge/documents/by-external-id`;
  for (const id of ['../shared/boot.ini', 'web-inf/web.xml', 'server.log', '資'.repeat(255)]) {
    await expectAllowed('PUT', `${documents}/${encodeURIComponent(id)}`, {
      body: { title: 'Notes', content: 'Text.' },
    });
  }
});

describe('requests that only attackers send are refused', () => {
  test.each<[string, string, CallOptions]>([
    ['a scanner', 'GET', { headers: { 'User-Agent': 'Mozilla/5.00 (Nmap Scripting Engine)' } }],
    ['Log4Shell in a header', 'GET', { headers: { 'User-Agent': jndi } }],
    ['an exploit of Java in a header', 'GET', { headers: { 'X-Api': '(java.lang.Runtime).getRuntime()' } }],
    ['a false Host', 'GET', { headers: { Host: 'localhost' } }],
    ['PROPFIND', 'PROPFIND', {}],
    ['a script in a cookie', 'GET', { headers: { Cookie: 'a=<script>alert(1)</script>' } }],
  ])('%s', (_, method, options) => {
    expect(inspect(acl, webRequest(method, '/projects', options)).refusedBy).toBe('Refused');
  });

  test('floods and listed attackers are refused by address', () => {
    const [flood, reputation] = acl;
    expect(flood).toMatchObject({
      Action: { Block: {} },
      Statement: { RateBasedStatement: { Limit: 10_000, AggregateKeyType: 'IP' } },
    });
    expect(reputation).toMatchObject({
      OverrideAction: { None: {} },
      Statement: { ManagedRuleGroupStatement: { Name: 'AWSManagedRulesAmazonIpReputationList' } },
    });
  });
});

test('requests that match are counted for each rule, not only the first', () => {
  const request = webRequest('POST', '/projects', { body: { name: '<script> ../../' } });
  expect(inspect(acl, request).labels).toEqual([
    'awswaf:managed:aws:core-rule-set:NoUserAgent_Header',
    'awswaf:managed:aws:core-rule-set:GenericLFI_Body',
    'awswaf:managed:aws:core-rule-set:CrossSiteScripting_Body',
  ]);
});

test('the model knows every rule that the firewall names', () => {
  for (const [group, names] of Object.entries(countedRules)) {
    const modelled = managedRules[group]?.rules.map(({ name }) => name) ?? [];
    expect([...names].sort()).toEqual([...modelled].sort());
  }
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
