/** A proxy in front of DynamoDB Local. Every request arrives there; the test decides what happens to the response. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fate = 'pass' | 'drop' | 'hold';

/**
 * @param fateOf called with the operation's name after DynamoDB Local has executed it: `drop` closes the connection
 *   without the response, `hold` leaves it open
 */
export async function openDynamoDbProxy(target: string, fateOf: (operation: string) => Fate) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = new Headers(request.headers as Record<string, string>);
    for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
    const answer = await fetch(target, { method: 'POST', headers, body: Buffer.concat(chunks) });
    const body = Buffer.from(await answer.arrayBuffer());
    const fate = fateOf(headers.get('x-amz-target')?.split('.')[1] ?? '');
    if (fate === 'pass') response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
    if (fate === 'drop') request.socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
