/** Avatars that answer, over HTTP in this process, with the worker that answers: a service for the console, whose model a test scripts. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Script } from '../../samples/models.ts';
import { basePath, createGateway } from '../../scripts/local/gateway.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { openReplies } from './replies.ts';

/** A request that waits looks this often in a second, in place of once. */
const looksPerSecond = 20;
const pollMs = 50;

/** @param script what the model does with each request */
export async function serveReplies(script: Script) {
  const replies = await openReplies(script);
  const runtime = {
    ...replies.runtime,
    sleep: (ms: number) => sleep(ms < 1000 ? ms : ms / looksPerSecond),
  };
  const server = createServer(createGateway(routesOf(runtime)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  const taken = new Map<string, Promise<void>>();
  let isOpen = true;
  /** Each reply is answered beside the others, as one that waits for its model must not hold them up. */
  const answerAll = async () => {
    for (; isOpen; await sleep(pollMs))
      for (const notice of await replies.notices())
        if (!taken.has(notice.id)) taken.set(notice.id, replies.work([notice]));
  };
  const answering = answerAll();
  return {
    ...replies,
    baseUrl: `http://127.0.0.1:${port}${basePath}`,
    /** @throws what the worker has thrown */
    async close() {
      isOpen = false;
      server.close();
      server.closeAllConnections();
      await answering;
      await Promise.all(taken.values());
    },
  };
}
