/** The DynamoDB client of the functions' bundles throws the SDK's errors. */

import * as sdk from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  bundledDynamoDb,
  type Libraries,
  openScriptedServer,
  realDynamoDb,
  run,
  type Scripted,
  type ScriptedServer,
} from '../../../support/function-sdk.ts';

let ours: Libraries;
let server: ScriptedServer;

beforeAll(async () => {
  [ours, server] = await Promise.all([bundledDynamoDb(), openScriptedServer()]);
});

afterAll(() => server.close());

// No delays: those of a throttled request are seconds.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => vi.restoreAllMocks());

const input = { TableName: 't', Key: { tenant: 'org', id: 'a' } };
const headers = { 'x-amzn-requestid': 'request' };
const thrice = (scripted: Scripted): Scripted[] => [scripted, scripted, scripted];

/** Expects the same error and the same number of requests. @returns both */
async function compare(script: readonly Scripted[]) {
  const expected = await run(realDynamoDb, server, {
    command: ['DeleteCommand', input],
    script,
  });
  const actual = await run(ours, server, { command: ['DeleteCommand', input], script });
  expect(actual.outcome).toEqual(expected.outcome);
  expect(actual.sent).toHaveLength(expected.sent.length);
  return { outcome: actual.outcome, requests: actual.sent.length };
}

const modelled = Object.entries(sdk).flatMap(([name, value]) =>
  typeof value === 'function' && value.prototype instanceof sdk.DynamoDBServiceException ? [name] : [],
);

test('the SDK has errors', () => {
  expect(modelled).toContain('TransactionCanceledException');
  expect(modelled.length).toBeGreaterThan(30);
});

const statusOf = (name: string) => (name === 'InternalServerError' ? 500 : 400);

test.each([...modelled, 'NewException', 'constructor', 'UnrecognizedClientException', 'RequestTimeout'])(
  '%s',
  async (name) => {
    const status = statusOf(name);
    const more = { ThrottlingReasons: [{ reason: 'r', resource: 'arn' }], Detail: { a: [1.5] } };
    const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
    const { outcome } = await compare(
      thrice({ status, body: { __type, message: `${name}, it says`, ...more }, headers }),
    );
    expect(outcome).toMatchObject({
      error: { name, message: `${name}, it says`, $metadata: { httpStatusCode: status } },
    });
    const capital = { __type, Message: 'With a capital letter' };
    expect((await compare(thrice({ status, body: capital, headers }))).outcome).toMatchObject({
      error: { message: 'With a capital letter' },
    });
  },
);

const Item = { id: { S: 'a' }, bytes: { B: 'AQL/' }, in: { M: { l: { L: [{ BS: ['AQ=='] }] } } } };

test('a failed condition has the stored item, which is not converted', async () => {
  const { outcome } = await compare([
    { status: 400, body: { __type: 'a#ConditionalCheckFailedException', message: 'no', Item } },
  ]);
  expect(outcome).toMatchObject({
    error: {
      classes: ['ConditionalCheckFailedException'],
      Item: { bytes: { B: new Uint8Array([1, 2, 255]) } },
    },
  });
});

test('a cancelled transaction has the reasons, with the stored items', async () => {
  const CancellationReasons = [
    { Code: 'None', Message: null },
    { Code: 'ConditionalCheckFailed', Message: 'no', Item },
    {},
  ];
  const { outcome } = await compare([
    { status: 400, body: { __type: 'a#TransactionCanceledException', Message: 'no', CancellationReasons } },
  ]);
  expect(outcome).toMatchObject({
    error: {
      classes: ['TransactionCanceledException'],
      CancellationReasons: [{ Code: 'None' }, { Item: { bytes: { B: new Uint8Array([1, 2, 255]) } } }, {}],
    },
  });
});

describe('the name of an error', () => {
  test.each<[string, object, Record<string, string>?]>([
    ['has no namespace', { __type: 'ThrottlingException' }],
    ['has details', { __type: 'a#NewException:http://example.com/,x' }],
    ['is a code', { code: 'a#NewException' }],
    ['is a code with a capital letter', { Code: 'NewException' }],
    ['is in a header', {}, { 'x-amzn-errortype': 'NewException:http://example.com/' }],
    ['is in the body and in a header', { __type: 'A' }, { 'x-amzn-errortype': 'B' }],
    ['is nowhere', {}],
    ['is in the header of a query', {}, { 'x-amzn-query-error': 'NewException;Sender' }],
  ])('%s', async (_, body, more = {}) => {
    await compare(thrice({ status: 400, body, headers: { ...headers, ...more } }));
  });
});

describe('a response that is none of DynamoDB', () => {
  const html = '<html><body>Bad Gateway</body></html>';
  const bodies = [html, '', '{"__type":"a#InternalServerE', '[]', 'null', '"text"', '7', ' '];
  const statuses = [200, 301, 400, 403, 404, 413, 429, 500, 501, 502, 503, 504];
  const combined = statuses
    .flatMap((status) => bodies.map((body) => [status, body] as const))
    // The SDK would make its letters the members of the output.
    .filter(([status, body]) => status !== 200 || body !== '"text"');

  test.each(combined)('%i %j', async (status, body) => {
    const script = thrice({ status, body, headers: { 'content-type': 'text/html', ...headers } });
    const { requests } = await compare(script);
    const isRetried = [429, 500, 502, 503, 504].includes(status);
    // Only a name or a status says that a request may be sent again, and an error in the syntax has the status.
    expect(requests).toBe(isRetried ? 3 : 1);
  });
});

test('a checksum is not compared', async () => {
  const { outcome } = await compare([{ status: 200, body: {}, headers: { 'x-amz-crc32': '1' } }]);
  expect(outcome).toHaveProperty('output');
});
