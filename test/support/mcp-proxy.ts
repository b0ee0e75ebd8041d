/**
 * A proxy in front of `POST /mcp` that adds the key: the conformance suite cannot send a key. The proxy changes nothing else. Where
 * the suite names the proxy as host or origin, it means the server.
 */

import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * @param baseUrl of the API
 * @returns the address of the tools, and the end of the proxy
 */
export async function openMcpProxy({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
  const { host: apiHost } = new URL(baseUrl);
  let own = '';
  const headersFor = ({ host = '', origin, ...others }: IncomingHttpHeaders) => ({
    ...others,
    host: host === own ? apiHost : host,
    ...(origin !== undefined && { origin: origin === `http://${own}` ? `http://${apiHost}` : origin }),
    authorization: `Bearer ${apiKey}`,
  });
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const target = new URL(`${baseUrl}${url}`);
    const forwarded = request(target, { method, headers: headersFor(headers) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://${own}/mcp`, close };
}
