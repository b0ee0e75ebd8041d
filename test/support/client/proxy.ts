/**
 * A proxy between a client and the service, which serves pages too, so that a page calls its own origin. What happens to a
 * request is decided by the client's test, through `POST /control/…`.
 */

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../../scripts/shared/random.ts';
import { type Fault, faults } from './fault.ts';

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer };

export type Controls = Record<string, (body: Record<string, unknown>) => unknown>;

/**
 * @param upstream handles what is below /api/v1
 * @param controls further controls by name
 * @param pages what else it serves: content type and text by path
 */
export async function openFaultProxy(
  upstream: string,
  controls: Controls,
  pages: Record<string, [string, string]>,
) {
  let planned: (Fault | 'pass')[] = [];
  let random: (() => Fault | 'pass') | undefined;
  const counts: Record<string, number> = {};

  const nextFault = () => planned.shift() ?? random?.() ?? 'pass';

  const own: Controls = {
    /** Faults of the next requests, or a rate of random ones. */
    faults: ({ next = [], rate = 0, seed = 1 }) => {
      planned = [...(next as Fault[])];
      const draw = randomOf(Number(seed));
      random = rate
        ? () => (draw() < Number(rate) ? (faults[Math.floor(draw() * faults.length)] ?? 'pass') : 'pass')
        : undefined;
    },
    counts: () => ({ ...counts }),
    /** Nothing listens for a while. */
    restart: ({ ms }) => void setTimeout(() => restart(Number(ms)), 50),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await bytesOf(request);
    const page = pages[path];
    if (page) return void response.writeHead(200, { 'Content-Type': page[0] }).end(page[1]);
    if (path.startsWith('/control/')) {
      const control = { ...own, ...controls }[path.slice('/control/'.length)];
      const result = await control?.(body.length > 0 ? JSON.parse(body.toString()) : {});
      return void response.writeHead(control ? 200 : 404).end(JSON.stringify(result ?? {}));
    }
    const fault = nextFault();
    counts[fault] = (counts[fault] ?? 0) + 1;
    if (fault === 'reset before') return void request.socket.destroy();
    if (fault === '429 before') return refuse(response, 429, { 'Retry-After': '0' });
    if (fault === '503 before') {
      const date = new Date(Date.now() + 100).toUTCString();
      return refuse(response, 503, { 'Retry-After': date });
    }
    const answer = await forward(upstream, request, body);
    if (fault === 'lost response') return void request.socket.destroy();
    if (fault === '500 after') return refuse(response, 500);
    if (fault === '504 after') return refuse(response, 504);
    if (fault === '502 page after')
      return void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    response.writeHead(answer.status, answer.headers);
    if (fault === 'pass') return void response.end(answer.body);
    const half = Math.ceil(answer.body.length / 2);
    response.write(answer.body.subarray(0, half));
    if (fault === 'stalled body') return;
    await sleep(20);
    if (fault === 'cut body') return void request.socket.destroy();
    response.end(answer.body.subarray(half));
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch(() => request.socket.destroy());
  };
  let server: Server = createServer(listener);
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;

  async function restart(ms: number): Promise<void> {
    server.close();
    server.closeAllConnections();
    await sleep(ms);
    server = createServer(listener);
    await listen(server, port);
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const listen = (server: Server, port: number) =>
  new Promise<void>((listening, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', listening);
  });

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  const code = {
    429: 'rate_limited',
    503: 'service_unavailable',
    500: 'internal_error',
    504: 'internal_error',
  }[status];
  const error = { code, message: 'A fault of the test.', requestId: 'fault' };
  response
    .writeHead(status, { 'Content-Type': 'application/json', ...headers })
    .end(JSON.stringify({ success: false, error }));
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function forward(upstream: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((done, reject) => {
    const request = send(
      `${upstream}${url}`,
      { method, headers: { ...headers, connection: 'close' } },
      (response) => {
        const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...kept } = response.headers;
        bytesOf(response).then(
          (bytes) =>
            done({
              status: response.statusCode ?? 500,
              headers: { ...kept, 'content-length': `${bytes.length}` },
              body: bytes,
            }),
          reject,
        );
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}
