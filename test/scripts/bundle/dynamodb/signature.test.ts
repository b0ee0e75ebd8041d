/** The signatures of the functions' bundles are those of the SDK's signer. */

import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSigner } from '../../../../scripts/bundle/dynamodb/signature.ts';

const visible = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  minLength: 1,
});

const credentials = fc.record(
  { accessKeyId: visible, secretAccessKey: visible, sessionToken: visible },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);

const headers = fc.record({
  host: fc.constantFrom('dynamodb.eu-central-1.amazonaws.com', '127.0.0.1:8000', '[::1]:8000'),
  'content-type': fc.constant('application/x-amz-json-1.0'),
  'x-amz-target': fc.constantFrom('DynamoDB_20120810.GetItem', 'a  b', ' c\t d '),
  'amz-sdk-invocation-id': fc.uuid(),
  'amz-sdk-request': fc.constantFrom('attempt=1; max=3', 'attempt=2; max=3'),
});

const requests = fc.record({
  headers,
  body: fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
  ),
  at: fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
});

test('they are the same for any bodies, times and keys, one after another', async () => {
  const property = fc.asyncProperty(
    credentials,
    fc.constantFrom('eu-central-1', 'us-gov-west-1'),
    fc.array(requests, { minLength: 1, maxLength: 5 }),
    async (keys, region, list) => {
      const sign = openSigner(keys, region, 'dynamodb');
      const signer = new SignatureV4({ credentials: keys, region, service: 'dynamodb', sha256: Sha256 });
      for (const { headers, body, at } of list) {
        const { host } = headers;
        const message = {
          method: 'POST',
          path: '/',
          query: {},
          protocol: 'https:',
          hostname: host,
          headers,
          body,
        };
        const expected = await signer.sign(message, { signingDate: at });
        expect(sign(headers, body, at)).toEqual(expected.headers);
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test('a new day has a new key, and an earlier day its own again', async () => {
  const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
  const [body, headers] = [Buffer.from('{}'), { host: 'h' }];
  const days = ['2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00.000Z', '2026-01-01T23:59:59.999Z'];
  const sign = openSigner(keys, 'eu-central-1', 'dynamodb');
  const signed = days.map((day) => sign(headers, body, new Date(day)).authorization);
  expect(signed[1]).not.toBe(signed[0]);
  expect(signed[2]).toBe(signed[0]);
});
