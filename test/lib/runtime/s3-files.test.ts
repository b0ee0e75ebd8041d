/** Requests to S3, compared with the algorithm of its documentation, which is written out here. */

import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { s3Files } from '../../../lib/runtime/s3-files.ts';

const nowMs = Date.parse('2026-03-01T09:30:00Z');
const clock = { nowMs: () => nowMs, randomFraction: () => 0.5 };
const env = {
  FILES_BUCKET: 'bucket',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: 'token/+==',
};
const key = 'org_1/live/proj_1/job_1/000001/call_1';

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
const hmac = (secret: string | Buffer, data: string) => createHmac('sha256', secret).update(data).digest();

/** "Signature Calculations for the Authorization Header" and "Authenticating Requests: Using Query Parameters", S3. */
function signatureOf(canonicalRequest: string): string {
  const scope = '20260301/eu-central-1/s3/aws4_request';
  const toSign = ['AWS4-HMAC-SHA256', '20260301T093000Z', scope, sha256(canonicalRequest)].join('\n');
  const parts = ['20260301', 'eu-central-1', 's3', 'aws4_request'];
  const signingKey = parts.reduce<string | Buffer>(hmac, `AWS4${env.AWS_SECRET_ACCESS_KEY}`);
  return hmac(signingKey, toSign).toString('hex');
}

type Seen = {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
};

/** `silent` never answers, and `endless` never ends its body. */
type Answer =
  | number
  | 'silent'
  | 'endless'
  | { status: number; headers: Record<string, string>; body: string };

// On a busy machine, an answer may take long.
async function openServer(answers: Answer[], attemptMs = answers.includes('silent') ? 1000 : 60_000) {
  const pauses: number[] = [];
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: await text(request) });
    const answer = answers[seen.length - 1] ?? 200;
    if (answer === 'silent') return;
    if (answer === 'endless') return void response.writeHead(200).write('…');
    const {
      status,
      headers: sent,
      body,
    } = typeof answer === 'number' ? { status: answer, headers: {}, body: '' } : answer;
    response.writeHead(status, sent).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const surroundings = {
    ...clock,
    attemptMs,
    sleep: async (ms: number) => void pauses.push(ms),
  };
  const files = s3Files({ ...env, AWS_ENDPOINT_URL_S3: endpoint }, surroundings);
  return { seen, pauses, files };
}

function expectSigned({ method, url, headers, body }: Seen): void {
  const [, names = '', signature] =
    /SignedHeaders=([^,]*), Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
  expect(names.split(';')).toEqual(
    expect.arrayContaining(['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token']),
  );
  expect(headers['x-amz-content-sha256']).toBe(sha256(body));
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  expect(signature).toBe(signatureOf([method, url, '', lines.join(''), names, sha256(body)].join('\n')));
}

/** @returns the query that the signature of a link is of */
const signedQueryOf = ({ search }: URL): string =>
  search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
    .sort()
    .join('&');

test('a file is put and removed with signed requests', async () => {
  const { files, seen } = await openServer([200, 204]);
  await files.put(key, Buffer.from('bytes'));
  await files.remove(key);
  expect(seen).toMatchObject([
    { method: 'PUT', url: `/bucket/${key}`, body: 'bytes' },
    { method: 'DELETE', url: `/bucket/${key}`, body: '' },
  ]);
  for (const one of seen) expectSigned(one);
});

test('a failure of S3 is repeated, a refusal is an error that does not name the key', async () => {
  const { files, seen } = await openServer([503, 200, 403]);
  await files.put(key, Buffer.from('bytes'));
  expect(seen).toHaveLength(2);
  await expect(files.put(key, Buffer.from('bytes'))).rejects.toThrow(/^S3 answered a PUT with 403$/);
});

test('a request that gets no complete response in time is repeated, after pauses that grow', {
  tags: ['long'],
}, async () => {
  const { files, seen, pauses } = await openServer(['silent', 'endless', 503, 204]);
  await files.remove(key);
  expect(seen).toHaveLength(4);
  expect(pauses).toEqual([75, 150, 300]);
});

test('after four attempts, the error says so, and does not name the key', async () => {
  const { files, seen } = await openServer(['silent', 'silent', 'silent', 'silent'], 100);
  await expect(files.put(key, Buffer.from('bytes'))).rejects.toThrow(/^S3 did not answer a PUT$/);
  expect(seen).toHaveLength(4);
});

test('a write that is stopped is not repeated', async () => {
  const { files, seen, pauses } = await openServer(['silent']);
  const stop = new AbortController();
  const writing = expect(files.put(key, Buffer.from('bytes'), stop.signal)).rejects.toThrow('stopped');
  await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 60_000 });
  stop.abort(new Error('stopped'));
  await writing;
  expect([seen.length, pauses]).toEqual([1, []]);
});

test('a link is a signed GET of the bucket, for its time', async () => {
  const link = new URL(await s3Files(env, clock).link(key, 900));
  expect(link.origin + link.pathname).toBe(`https://bucket.s3.eu-central-1.amazonaws.com/${key}`);
  expect(link.searchParams.get('X-Amz-Expires')).toBe('900');
  expect(link.searchParams.get('X-Amz-Security-Token')).toBe(env.AWS_SESSION_TOKEN);
  const signature = link.searchParams.get('X-Amz-Signature');
  const query = signedQueryOf(link);
  const request = ['GET', link.pathname, query, `host:${link.host}\n`, 'host', 'UNSIGNED-PAYLOAD'];
  expect(signature).toBe(signatureOf(request.join('\n')));
});

test('a part of a file is read with a signed request', async () => {
  const headers = { 'content-range': 'bytes 3-5/9', etag: '"tag"' };
  const { files, seen } = await openServer([{ status: 206, headers, body: 'def' }, 404, 403, 416, 400]);
  const part = await files.read(key, 3, 3);
  expect({ ...part, bytes: `${Buffer.from(part?.bytes ?? [])}` }).toEqual({
    bytes: 'def',
    size: 9,
    version: '"tag"',
  });
  expect(seen).toMatchObject([{ method: 'GET', url: `/bucket/${key}`, headers: { range: 'bytes=3-5' } }]);
  for (const one of seen) expectSigned(one);
  for (const _ of [404, 403, 416]) expect(await files.read(key, 0, 3)).toBeUndefined();
  await expect(files.read(key, 0, 3)).rejects.toThrow(/^S3 answered a GET with 400$/);
});

test('an upload link is a signed PUT of exactly this size', async () => {
  const link = new URL(await s3Files(env, clock).uploadLink(key, 900, 42));
  expect(link.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
  const query = signedQueryOf(link);
  const headers = `content-length:42\nhost:${link.host}\n`;
  const request = ['PUT', link.pathname, query, headers, 'content-length;host', 'UNSIGNED-PAYLOAD'];
  expect(link.searchParams.get('X-Amz-Signature')).toBe(signatureOf(request.join('\n')));
});

test('without a bucket, only its use fails', async () => {
  const { FILES_BUCKET: _, ...others } = env;
  const files = s3Files(others, clock);
  await expect(files.link(key, 900)).rejects.toThrow('FILES_BUCKET is not set');
});
