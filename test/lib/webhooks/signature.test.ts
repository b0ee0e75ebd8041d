import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { makeSecret, signatureHeaders } from '../../../lib/webhooks/signature.ts';

const body = JSON.stringify({ type: 'project.created', data: { name: 'Größe 😀' } });
const signed = {
  id: 'evt_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  timestampSeconds: Math.floor(Date.now() / 1000),
  body,
};

test('the library of Standard Webhooks verifies a request', () => {
  const secret = makeSecret(randomBytes);
  expect(new Webhook(secret).verify(body, signatureHeaders(signed, [secret]))).toEqual(JSON.parse(body));
});

test('during an overlap, it verifies a request with either secret', () => {
  const secrets = [makeSecret(randomBytes), makeSecret(randomBytes)];
  const headers = signatureHeaders(signed, secrets);
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test('it refuses another body, another time, another id and another secret', () => {
  const secret = makeSecret(randomBytes);
  const headers = signatureHeaders(signed, [secret]);
  const webhook = new Webhook(secret);
  expect(() => webhook.verify(`${body} `, headers)).toThrow('No matching signature');
  const later = { ...headers, 'webhook-timestamp': String(signed.timestampSeconds + 1) };
  expect(() => webhook.verify(body, later)).toThrow('No matching signature');
  expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow('No matching signature');
  expect(() => new Webhook(makeSecret(randomBytes)).verify(body, headers)).toThrow('No matching signature');
});

test('it is the signature of the example in the specification of Standard Webhooks', () => {
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  };
  const headers = signatureHeaders(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('a secret has 256 random bits', () => {
  const secret = makeSecret(randomBytes);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(makeSecret(randomBytes)).not.toBe(secret);
});
