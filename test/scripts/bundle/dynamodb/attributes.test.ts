/** The attribute values of the functions' bundles are those of the SDK. */

import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromJson, toJson } from '../../../../scripts/bundle/dynamodb/attributes.ts';
import {
  bundledDynamoDb,
  type Libraries,
  openScriptedServer,
  realDynamoDb,
  run,
  type ScriptedServer,
} from '../../../support/function-sdk.ts';

let ours: Libraries;
let server: ScriptedServer;

beforeAll(async () => {
  [ours, server] = await Promise.all([bundledDynamoDb(), openScriptedServer()]);
});

afterAll(() => server.close());

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
// Assigning this name to an object would change its prototype, and no item has it (lib/base/json.ts).
const name = text.filter((one) => one !== '__proto__');
const number = fc.oneof(fc.maxSafeInteger(), fc.double({ min: -1e15, max: 1e15, noNaN: true }));
const set = <Value>(member: fc.Arbitrary<Value>) =>
  fc.array(member, { minLength: 1, maxLength: 4 }).map((members) => new Set(members));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    set(text),
    set(number),
    set(fc.bigInt({ min: 10n ** 20n, max: 10n ** 37n })),
    set(fc.uint8Array()),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  ),
}));

const items = fc.dictionary(name, value, { maxKeys: 8 });

test('an item that is written has the bytes of the SDK, and is read as the SDK reads it', async () => {
  const property = fc.asyncProperty(items, async (Item) => {
    const command: ['PutCommand', object] = ['PutCommand', { TableName: 't', Item }];
    const expected = await run(realDynamoDb, server, { command });
    const actual = await run(ours, server, { command });
    const body = actual.sent[0]?.body ?? '';
    expect(body).toBe(expected.sent[0]?.body);
    const { Item: stored } = JSON.parse(body) as { Item: object };
    const reading = { command: ['GetCommand', { TableName: 't', Key: {} }] as ['GetCommand', object] };
    const script = [{ status: 200, body: { Item: stored } }];
    const read = await run(ours, server, { ...reading, script });
    expect(read.outcome).toEqual((await run(realDynamoDb, server, { ...reading, script })).outcome);
  });
  await fc.assert(property, { numRuns: 150 });
});

test('bytes are base64 at any depth', () => {
  const bytes = { B: 'AP8=' };
  const json = { M: { a: { L: [bytes, { M: { b: { BS: ['AP8=', ''] } } }] } } };
  const native = {
    a: [new Uint8Array([0, 255]), { b: new Set([new Uint8Array([0, 255]), new Uint8Array()]) }],
  };
  expect(toJson(native)).toEqual(json);
  expect(fromJson(structuredClone(json))).toEqual(native);
});

test('a view of a part of a buffer is only this part', () => {
  expect(toJson(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toEqual({ B: 'AgM=' });
});

test.each([38, 126])('a number of %i digits is kept', (digits) => {
  const N = '9'.repeat(digits);
  expect(fromJson({ N })).toBe(BigInt(N));
  expect(toJson(BigInt(N))).toEqual({ N });
  expect(convertToNative(convertToAttr(BigInt(N)))).toBe(BigInt(N));
});
