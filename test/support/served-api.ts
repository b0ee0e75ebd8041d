/** The API over HTTP, in this process: what `npm run dev` serves, on the database of the test file, without workers. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { secondMs } from '../../lib/base/time.ts';
import { ownApiAt } from '../../lib/http/own-api.ts';
import { openApi, type TestApi } from '../../samples/api.ts';
import { basePath, createGateway } from '../../scripts/local/gateway.ts';
import { routesOf } from '../../scripts/local/service.ts';

export type ServedApi = Awaited<ReturnType<typeof serveApi>>;

const filesPath = '/files/';

/** A request that waits looks this often in a second, in place of once. */
const looksPerSecond = 20;

/**
 * @param adjust as of `openApi`
 * @param copies of the service, which take turns, as containers of a function would: what one keeps in memory shows
 * @param filesOrigin where the links of files lead to. Default: to this server
 */
export async function serveApi({
  copies = 1,
  filesOrigin,
  adjust = () => ({}),
}: {
  adjust?: Parameters<typeof openApi>[0];
  copies?: number;
  filesOrigin?: () => string;
} = {}) {
  let origin = '';
  const linkTo = filesOrigin ?? (() => origin);
  const api = await openApi((base) => {
    const { files, nowMs } = base;
    const urlOf = (key: string, seconds: number) =>
      `${linkTo()}${filesPath}${key}?until=${nowMs() + seconds * secondMs}`;
    return {
      ...adjust(base),
      api: {
        url: () => origin + basePath,
        send: (path, request) => ownApiAt(origin + basePath).send(path, request),
      },
      files: {
        ...files,
        link: async (key, seconds) => urlOf(key, seconds),
        uploadLink: async (key, seconds, bytes) => `${urlOf(key, seconds)}&bytes=${bytes}`,
      },
    };
  });
  const runtime = { ...api.runtime, sleep: (ms: number) => sleep(ms < secondMs ? ms : ms / looksPerSecond) };
  const gateways = Array.from({ length: copies }, () => createGateway(routesOf(runtime)));
  let turn = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith(filesPath)) return answerLink(api, request, response);
    gateways[turn++ % copies]?.(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { api, origin, baseUrl: origin + basePath, apiKey: api.rootKey, close };
}

/**
 * As S3: 403 when the time of the link is over, or if the size of an upload is another one, and 400 for a request that also has
 * a key.
 */
async function answerLink(api: TestApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url, method, headers } = request;
  const { pathname, searchParams } = new URL(url ?? '', 'http://localhost');
  const key = pathname.slice(filesPath.length);
  const sent = await buffer(request);
  const end = (status: number, body?: Uint8Array) => void response.writeHead(status).end(body);
  if (headers.authorization) return end(400);
  if (Number(searchParams.get('until')) <= api.runtime.nowMs()) return end(403);
  if (method === 'PUT') {
    if (headers['content-length'] !== searchParams.get('bytes')) return end(403);
    api.files.set(key, sent);
    return end(200);
  }
  const bytes = api.files.get(key);
  end(bytes ? 200 : 404, bytes);
}
