/** No reader takes a response that was cut for a complete one, whoever has cut it: the sender, the network, or our time limit. */

import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, type TestContext, test } from 'vitest';
import { forward } from '../../cli/src/webhooks/forward.ts';
import { ConnectionError, Platform } from '../../clients/typescript/src/index.ts';
import { readKeys } from '../../lib/api-keys/workload-identities/issuer.ts';
import { createVerifier } from '../../lib/credentials/access-token-reader.ts';
import { openBedrock } from '../../lib/models/bedrock.ts';
import { get, wholeBody } from '../../lib/network/get.ts';
import type { Network } from '../../lib/network/network.ts';
import { send } from '../../lib/network/send.ts';
import { s3Files } from '../../lib/runtime/s3-files.ts';
import { cuts, type Ending, respondingWith, whole } from '../support/cut-responses.ts';

/** The time limit for an endless response. Every other response ends earlier, so its limit does not matter. */
const endlessMs = 500;
const patientMs = 60_000;

type Reader = {
  body: Buffer;
  headers?: string;
  status?: string;
  /** @returns whether the response was taken for a complete one */
  read: (url: string, timeoutMs: number) => Promise<boolean>;
};

const networkWith = (timeoutMs: number): Network => ({
  allowLoopback: true,
  resolveName: async () => ['127.0.0.1'],
  elapsedMs: () => performance.now(),
  timeoutMs,
});

const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const json = (value: object) => Buffer.from(JSON.stringify(value));
const page = Buffer.from('<p>Refunds are paid within three days.</p>');

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwks = json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }] });

/** Nobody has signed it, which shows only with the keys. */
function unsignedToken(issuer: string, audience: string): string {
  const header = { alg: 'RS256', kid: 'first', typ: 'at+jwt' };
  const claims = { iss: issuer, aud: audience, exp: Math.floor(Date.now() / 1000) + 3600 };
  return [header, claims, {}].map((part) => json(part).toString('base64url')).join('.');
}

const readPage = async (url: string, timeoutMs: number) =>
  !('error' in (await get(new URL(url), {}, networkWith(timeoutMs), wholeBody(100_000))));

const readers: Record<string, Reader> = {
  'webhooks: the response of a receiver': {
    body: Buffer.from('thanks'),
    read: async (url, timeoutMs) =>
      (await send(new URL(url), {}, '{}', networkWith(timeoutMs))).error === null,
  },
  'sources: a page': { body: page, read: readPage },
  'sources: a compressed page': {
    body: gzipSync(page),
    headers: 'Content-Encoding: gzip\r\n',
    read: readPage,
  },
  'workload identities: the keys of an issuer': {
    body: jwks,
    read: async (url, timeoutMs) => 'keys' in (await readKeys(`${url}/keys`, networkWith(timeoutMs))),
  },
  'access tokens: the keys of an issuer': {
    body: jwks,
    async read(url) {
      const settings = {
        issuer: url,
        audience: 'platform',
        jwksUri: `${url}/keys`,
        algorithm: 'RS256',
        organisationClaim: 'organisation',
        modeClaim: 'mode',
        scopeClaim: 'scope',
        tokenType: 'at+jwt',
      } as const;
      const verdict = await createVerifier([settings])(unsignedToken(url, 'platform'), Date.now());
      return !('unreachable' in verdict);
    },
  },
  'evaluations: the answer of a model': {
    body: json({ stopReason: 'end_turn' }),
    async read(url, timeoutMs) {
      const settings = { region: 'eu-central-1', endpoint: url, credentials };
      const { converse } = openBedrock(settings, { nowMs: Date.now, timeoutMs });
      const tool = { name: 'a', description: 'b', schema: {} };
      const reply = await converse({ modelId: 'm', system: [], messages: [], maxTokens: 1, tool });
      return reply.kind === 'answer' && reply.stop === 'end';
    },
  },
  'uploads and exports: a part of a file': {
    body: Buffer.from('a,b\n1,2\n'),
    status: '206 Partial Content',
    headers: 'Content-Range: bytes 0-7/8\r\nETag: "1"\r\n',
    async read(url, timeoutMs) {
      const env = {
        FILES_BUCKET: 'bucket',
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b',
        AWS_ENDPOINT_URL_S3: url,
      };
      const surroundings = {
        nowMs: Date.now,
        randomFraction: () => 0,
        sleep: async () => {},
        attemptMs: timeoutMs,
      };
      return s3Files(env, surroundings)
        .read('key', 0, 8)
        .then(
          (part) => part !== undefined,
          () => false,
        );
    },
  },
  'the TypeScript client: a response of the API': {
    body: json({ success: true, data: { id: 'proj_1' } }),
    read: (url, timeoutMs) =>
      new Platform({ baseUrl: url, apiKey: 'sk_test_x', maxRetries: 0, timeoutMs }).projects
        .get('proj_1')
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof ConnectionError) return false;
            throw error;
          },
        ),
  },
  'the command line: the response of a receiver': {
    body: Buffer.from('thanks'),
    async read(url, timeoutMs) {
      const event = { id: 'evt_1', type: 'project.created', createdAt: '2026-03-01T09:30:00Z', data: {} };
      const receiver = { url: new URL(url), secret: 'whsec_AAAA' };
      return (await forward(receiver, event as never, Date.now, timeoutMs)).error === null;
    },
  },
};

/** `fetch` does not tell that these were cut. What was sent is no JSON, or is not used: the status has come. */
const unknown = new Set(['the command line: the response of a receiver / says no length and is reset']);

/** S3 always says it. */
const refusesWhole = new Set([
  'uploads and exports: a part of a file / says no length and closes the connection',
]);

describe.each(Object.entries(readers))('%s', (name, { body, headers, status, read }) => {
  const isTaken = async (...[context, ending, timeoutMs]: [TestContext, Ending, number]) =>
    read(await respondingWith(context, ending, body, headers, status), timeoutMs);

  test.concurrent.for(Object.entries(cuts))('is not complete if it %s', async ([title, cut], context) => {
    const taken = await isTaken(context, cut, cut.isEndless ? endlessMs : patientMs);
    context.expect(taken).toBe(unknown.has(`${name} / ${title}`));
  });

  test.concurrent.for(Object.entries(whole))('is complete if it %s', async ([title, ending], context) => {
    const taken = await isTaken(context, ending, patientMs);
    context.expect(taken).toBe(!refusesWhole.has(`${name} / ${title}`));
  });
});
