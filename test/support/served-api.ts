/** The API over HTTP, in this process: what `npm run dev` serves, on the database of the test file, without workers. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basePath, createGateway } from '../../scripts/local/gateway.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { openApi } from './api.ts';

export type ServedApi = Awaited<ReturnType<typeof serveApi>>;

/** @param copies of the service, which take turns, as containers of a function would: what one keeps in memory shows */
export async function serveApi({ copies = 1 } = {}) {
  const api = await openApi();
  const gateways = Array.from({ length: copies }, () => createGateway(routesOf(api.runtime)));
  let turn = 0;
  const server = createServer((request, response) => gateways[turn++ % copies]?.(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { api, origin, baseUrl: origin + basePath, apiKey: api.rootKey, close };
}
