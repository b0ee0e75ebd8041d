/** The client and the library of Standard Webhooks agree on every request. */

import { hash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../clients/typescript/src/index.ts';
import { makeSecret, signatureHeaders } from '../../../lib/webhooks/signature.ts';

const bytesOf = (seed: string) => (size: number) => hash('sha256', seed, 'buffer').subarray(0, size);
const [current, previous, other] = ['a', 'b', 'c'].map((seed) => makeSecret(bytesOf(seed))) as [
  string,
  string,
  string,
];
const body = JSON.stringify({ type: 'project.created', data: { name: 'Größe 😀' } });
const nowSeconds = () => Math.floor(Date.now() / 1000);

type Headers = Record<string, string>;

const byLibrary = (secret: string, headers: Headers, text: string): boolean => {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
};
const byClient = (secret: string, headers: Headers, text: string): Promise<boolean> =>
  verifyWebhook(secret, headers, text).then(
    () => true,
    () => false,
  );

/** Each changes a request, or nothing. */
const changes: Readonly<Record<string, (headers: Headers) => Headers>> = {
  nothing: (headers) => headers,
  'the id': (headers) => ({ ...headers, 'webhook-id': 'evt_2' }),
  'the time': (headers) => ({ ...headers, 'webhook-timestamp': `${nowSeconds() - 60}` }),
  'the version': (headers) => ({
    ...headers,
    'webhook-signature': `${headers['webhook-signature']}`.replaceAll('v1,', 'v2,'),
  }),
  'the order of signatures': (headers) => ({
    ...headers,
    'webhook-signature': `${headers['webhook-signature']}`.split(' ').reverse().join(' '),
  }),
  'another signature before': (headers) => ({
    ...headers,
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}`,
  }),
  'no signature': ({ 'webhook-signature': _, ...rest }) => rest,
};

test('both accept and refuse the same requests, whoever has signed them', async () => {
  const outcomes: boolean[] = [];
  for (const ageSeconds of [0, 200, 400, -200, -400]) {
    const timestampSeconds = nowSeconds() - ageSeconds;
    const id = 'evt_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const signed = { id, timestampSeconds, body };
    const byLibraryItself = {
      ...signatureHeaders(signed, []),
      'webhook-signature': new Webhook(current).sign(id, new Date(timestampSeconds * 1000), body),
    };
    const requests = [
      signatureHeaders(signed, [current]),
      signatureHeaders(signed, [current, previous]),
      byLibraryItself,
    ];
    for (const request of requests) {
      for (const [what, change] of Object.entries(changes)) {
        for (const secret of [current, previous, other]) {
          for (const text of [body, `${body} `]) {
            const headers = change(request);
            const accepted = byLibrary(secret, headers, text);
            expect([what, ageSeconds, await byClient(secret, headers, text)]).toEqual([
              what,
              ageSeconds,
              accepted,
            ]);
            outcomes.push(accepted);
          }
        }
      }
    }
  }
  expect(outcomes.filter(Boolean).length).toBeGreaterThan(20);
  expect(outcomes.filter((one) => !one).length).toBeGreaterThan(200);
});
