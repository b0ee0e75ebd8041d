/** Requests of webhooks are verified in each runtime. */

import { equal, ok, rejection, type Scenarios } from '../scenario.ts';

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const secretOf = (bytes: number) => `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(bytes)))}`;

const nowMs = 1_772_357_400_000;
const id = 'evt_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const event = { id, type: 'project.created', data: { name: 'Größe 😀' } };
const body = JSON.stringify(event);

/** @returns the part of the header `webhook-signature` */
async function sign(secret: string, seconds = nowMs / 1000, content = body): Promise<string> {
  const key = Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const text = new TextEncoder().encode(`${id}.${seconds}.${content}`);
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', imported, text)))}`;
}

const headersOf = (signature: string, seconds = nowMs / 1000) => ({
  'webhook-id': id,
  'webhook-timestamp': `${seconds}`,
  'webhook-signature': signature,
});

export const webhookScenarios: Scenarios = {
  'verifyWebhook returns the event of a signed request: of any headers, as text and as bytes': async ({
    client,
    platform,
  }) => {
    const secret = secretOf(32);
    const headers = headersOf(await sign(secret));
    const bytes = new TextEncoder().encode(body);
    for (const some of [headers, new Headers(headers)]) {
      for (const received of [body, bytes])
        equal(await client.verifyWebhook(secret, some, received, { nowMs }), event);
    }
    equal(await platform.webhooks.verify(secret, headers, body, { nowMs }), event);
  },

  'it verifies the example in the specification of Standard Webhooks': async ({ client }) => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const options = { nowMs: 1_614_265_330_000 };
    const text = '{"test": 2432232314}';
    equal(await client.verifyWebhook(secret, headers, text, options), { test: 2432232314 });
  },

  'one right signature of several is enough, so both secrets verify during an overlap': async ({
    client,
  }) => {
    const [current, previous, other] = [secretOf(32), secretOf(32), secretOf(32)];
    const both = headersOf(`${await sign(current)} ${await sign(previous)}`);
    for (const secret of [current, previous])
      equal(await client.verifyWebhook(secret, both, body, { nowMs }), event);
    const error = await rejection(client.verifyWebhook(other, both, body, { nowMs }));
    equal(error.name, 'WebhookVerificationError');
    // Of versions that it does not know, too.
    const right = await sign(current);
    const mixed = headersOf(`v1a,AAAA v2,${right.slice(3)} v1, v1,!! ${await sign(other)} ${right}`);
    equal(await client.verifyWebhook(current, mixed, body, { nowMs }), event);
  },

  'it refuses whatever was changed': async ({ client }) => {
    const secret = secretOf(32);
    const right = await sign(secret);
    const headers = headersOf(right);
    const cases: [string, object, string][] = [
      ['another body', headers, `${body} `],
      ['no body', headers, ''],
      ['another id', { ...headers, 'webhook-id': 'evt_2' }, body],
      ['another time', { ...headers, 'webhook-timestamp': `${nowMs / 1000 + 1}` }, body],
      ['a signature without version', { ...headers, 'webhook-signature': right.slice(3) }, body],
      ['a signature of another version', { ...headers, 'webhook-signature': `v2,${right.slice(3)}` }, body],
      ['a shorter signature', { ...headers, 'webhook-signature': `v1,${right.slice(3, 27)}` }, body],
      ['an empty signature', { ...headers, 'webhook-signature': 'v1,' }, body],
      ['a missing header', { ...headers, 'webhook-signature': undefined }, body],
      ['a missing id', { ...headers, 'webhook-id': '' }, body],
      ['a time that is none', { ...headers, 'webhook-timestamp': 'NaN' }, body],
    ];
    for (const [what, changed, text] of cases) {
      const error = await rejection(client.verifyWebhook(secret, changed as typeof headers, text, { nowMs }));
      equal(error.name, 'WebhookVerificationError', what);
      ok(error instanceof client.WebhookVerificationError, what);
    }
  },

  'it refuses a request that is more than five minutes old, or from the future': async ({ client }) => {
    const secret = secretOf(32);
    const seconds = nowMs / 1000;
    for (const [ageSeconds, isAccepted] of [
      [300, true],
      [301, false],
      [-300, true],
      [-301, false],
    ] as const) {
      const headers = headersOf(await sign(secret, seconds - ageSeconds), seconds - ageSeconds);
      const verified = client.verifyWebhook(secret, headers, body, { nowMs });
      if (isAccepted) equal(await verified, event);
      else equal((await rejection(verified)).name, 'WebhookVerificationError', `${ageSeconds}`);
    }
    const headers = headersOf(await sign(secret, seconds - 900), seconds - 900);
    equal(await client.verifyWebhook(secret, headers, body, { nowMs, toleranceSeconds: 1000 }), event);
  },

  'a secret that is none is a mistake of the program, and verifies nothing': async ({ client }) => {
    for (const secret of ['', 'whsec_', 'whsec_not base64!', secretOf(23), secretOf(65), 'whsec_AA==']) {
      const bytes = secret === 'whsec_AA==' ? secret : secretOf(32);
      const headers = headersOf(await sign(bytes));
      const error = await rejection(client.verifyWebhook(secret, headers, body, { nowMs }));
      equal(error.name, 'TypeError', secret);
      ok(secret.length < 7 || !error.message.includes(secret.slice(6)), 'the message has no secret');
    }
    for (const length of [24, 64]) {
      const secret = secretOf(length);
      equal(await client.verifyWebhook(secret, headersOf(await sign(secret)), body, { nowMs }), event);
    }
  },

  'bytes are the raw body, whatever holds them, and a byte order mark is no part of the event': async ({
    client,
  }) => {
    const secret = secretOf(32);
    const headers = headersOf(await sign(secret));
    const bytes = new TextEncoder().encode(body);
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 7);
    const holders = {
      'an ArrayBuffer': bytes.buffer,
      'a part of a larger one': larger.subarray(7, 7 + bytes.length),
      'a DataView': new DataView(larger.buffer, 7, bytes.length),
    };
    for (const [what, held] of Object.entries(holders))
      equal(await client.verifyWebhook(secret, headers, held, { nowMs }), event, what);
    const marked = `\ufeff${body}`;
    const signed = headersOf(await sign(secret, undefined, marked));
    for (const received of [marked, new TextEncoder().encode(marked)])
      equal(await client.verifyWebhook(secret, signed, received, { nowMs }), event, 'marked');
  },

  'a body that was parsed, and arguments in another order, are refused with how to pass the raw body':
    async ({ client }) => {
      const secret = secretOf(32);
      const headers = headersOf(await sign(secret));
      const verify = client.verifyWebhook as (...given: unknown[]) => Promise<unknown>;
      const cases: [string, unknown[]][] = [
        ['an object', [secret, headers, event]],
        ['a list', [secret, headers, [...new TextEncoder().encode(body)]]],
        ['a promise', [secret, headers, Promise.resolve(body)]],
        ['nothing', [secret, headers]],
        ['null', [secret, headers, null]],
        ['a number', [secret, headers, 5]],
        ['body, headers, secret', [body, headers, secret]],
        ['headers, body, secret', [headers, body, secret]],
        ['secret, body, headers', [secret, body, headers]],
        ['secret, bytes, body', [secret, new TextEncoder().encode(body), body]],
        ['no headers', [secret, undefined, body]],
      ];
      for (const [what, given] of cases) {
        const error = await rejection(verify(...given));
        ok(error instanceof client.WebhookVerificationError, `${what}: ${error}`);
        ok(error.message.startsWith('Pass the raw body of the request'), `${what}: ${error.message}`);
        ok(!error.message.includes(secret), 'the message has no secret');
      }
      // The variable of the environment is missing.
      equal((await rejection(verify(undefined, headers, body, { nowMs }))).name, 'TypeError');
    },
};
