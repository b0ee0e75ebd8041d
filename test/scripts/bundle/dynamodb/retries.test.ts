/** The DynamoDB client of the functions' bundles sends requests again when the SDK's own one does. */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { retryAfter } from '../../../../scripts/bundle/dynamodb/retries.ts';
import {
  bundledDynamoDb,
  credentials,
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
afterEach(() => vi.restoreAllMocks());

const input = { TableName: 't', Key: { tenant: 'org', id: 'a' } };
const failure = (status: number, type: string, headers: Record<string, string> = {}): Scripted => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no' },
  headers,
});
const success: Scripted = { status: 200, body: {} };
const broken = failure(500, 'InternalServerError');
const throttled = failure(400, 'ProvisionedThroughputExceededException');

describe('the attempts and the delays are the same', () => {
  test.each<[string, Scripted[]]>([
    ['after a fault of DynamoDB', [broken, success]],
    ['after two', [broken, broken, success]],
    ['after a throttle', [throttled, success]],
    ['after a throttle and a fault', [throttled, broken, success]],
    ['when all attempts fail', [broken, throttled, broken, success]],
    ['after a reset connection', ['reset', success]],
    ['after a truncated body', ['truncated', success]],
    ['after a replicated write', [failure(400, 'ReplicatedWriteConflictException'), success]],
    ['after a request to wait, in seconds', [failure(503, 'A', { 'retry-after': '0.2' }), success]],
    [
      'after a request to wait, in milliseconds',
      [failure(503, 'A', { 'x-amz-retry-after': '150' }), success],
    ],
    ['after a request to wait that is none', [failure(503, 'A', { 'retry-after': 'soon' }), success]],
    ['not after a client error', [failure(400, 'ValidationException'), success]],
    ['not after a client error that asks to wait', [failure(400, 'A', { 'retry-after': '0.2' }), success]],
  ])('%s', async (_, script) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.1);
    const command: ['GetCommand', object] = ['GetCommand', input];
    const tries = async (libraries: Libraries) => {
      const { sent, outcome } = await run(libraries, server, { command, script });
      const { $metadata } = ('output' in outcome ? outcome.output : outcome.error) as {
        $metadata: { attempts: number; totalRetryDelay: number };
      };
      return { sent: sent.length, attempts: $metadata.attempts, delay: $metadata.totalRetryDelay };
    };
    const expected = await tries(realDynamoDb);
    const actual = await tries(ours);
    expect({ ...actual, delay: 0 }).toEqual({ ...expected, delay: 0 });
    // What is left of a time to wait depends on the clock.
    expect(Math.abs(actual.delay - expected.delay)).toBeLessThan(
      script.length > 1 && /wait/.test(_) ? 20 : 1,
    );
    expect(actual.sent).toBe(actual.attempts);
  });
});

test('a client without a number of attempts has as many as the SDK', async () => {
  const script = Array.from({ length: 6 }, () => broken);
  const sentBy = async (libraries: Libraries) => {
    const attempts = { config: { maxAttempts: undefined as never }, script };
    return (await run(libraries, server, { command: ['GetCommand', input], ...attempts })).sent.length;
  };
  expect(await sentBy(ours)).toBe(await sentBy(realDynamoDb));
});

test("requests share the SDK's quota of retries, so a broken table gets no storm of them", async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const requestsOf = async (libraries: Libraries, failing: Scripted) => {
    const client = new libraries.DynamoDBClient({
      region: 'eu-central-1',
      endpoint: server.url,
      credentials,
      maxAttempts: 3,
    });
    const documents = libraries.DynamoDBDocumentClient.from(client);
    const send = () => documents.send(new libraries.GetCommand(input)).catch(() => {});
    server.play(Array.from({ length: 400 }, () => failing));
    for (let index = 0; index < 60; index += 1) await send();
    const failed = server.sent().length;
    // Each success gives back what its retries took, or one.
    server.play([]);
    for (let index = 0; index < 30; index += 1) await send();
    server.play(Array.from({ length: 20 }, () => failing));
    for (let index = 0; index < 5; index += 1) await send();
    return [failed, server.sent().length];
  };
  for (const failing of [broken, throttled]) {
    const expected = await requestsOf(realDynamoDb, failing);
    expect(expected[0]).toBeLessThan(3 * 60);
    expect(await requestsOf(ours, failing)).toEqual(expected);
  }
});

test.each([
  ['2', undefined, 2000],
  ['1.5', undefined, 1500],
  ['Thu, 01 Jan 1970 00:00:09 GMT', undefined, 8000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', undefined, -1000],
  [undefined, '150', 150],
  ['2', '150', 150],
  ['soon', undefined, undefined],
  [undefined, 'soon', undefined],
  [undefined, undefined, undefined],
])('retry-after %j and x-amz-retry-after %j are %j milliseconds', (after, amz, ms) => {
  const headers = { ...(after && { 'retry-after': after }), ...(amz && { 'x-amz-retry-after': amz }) };
  const expected = ms === undefined ? undefined : new Date(1000 + ms);
  expect(retryAfter(headers, 1000)).toEqual(expected);
});
