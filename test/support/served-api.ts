/** The API over HTTP, in this process: what `npm run dev` serves, on the database of the test file, without workers. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secondMs } from '../../lib/time.ts';
import { basePath, createGateway } from '../../scripts/local/gateway.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { openApi, type TestApi } from './api.ts';

export type ServedApi = Awaited<ReturnType<typeof serveApi>>;

const filesPath = '/files/';

/**
 * @param copies of the service, which take turns, as containers of a function would: what one keeps in memory shows
 * @param filesOrigin where the links of files lead to. Default: to this server
 */
export async function serveApi({
  copies = 1,
  filesOrigin,
}: {
  copies?: number;
  filesOrigin?: () => string;
} = {}) {
  let origin = '';
  const linkTo = filesOrigin ?? (() => origin);
  const api = await openApi(({ files, nowMs }) => ({
    files: {
      ...files,
      link: async (key, seconds) => `${linkTo()}${filesPath}${key}?until=${nowMs() + seconds * secondMs}`,
    },
  }));
  const gateways = Array.from({ length: copies }, () => createGateway(routesOf(api.runtime)));
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

/** As S3: 403 when the time of the link is over, and 400 for a request that also has a key. */
function answerLink(api: TestApi, { url, headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url ?? '', 'http://localhost');
  const bytes = api.files.get(pathname.slice(filesPath.length));
  const isOver = Number(searchParams.get('until')) <= api.runtime.nowMs();
  if (headers.authorization) response.writeHead(400).end();
  else if (isOver) response.writeHead(403).end();
  else if (!bytes) response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Type': 'application/gzip' }).end(bytes);
}
