/** Bedrock's ConverseStream with a model that answers each request at once, so its time is not part of what is measured. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { encodeMessage } from '../../lib/models/event-stream.ts';

export type InstantBedrock = {
  url: string;
  /** The requests, with the epoch milliseconds of their arrival. */
  asked: readonly { atMs: number; path: string; body: string }[];
  stop(): Promise<void>;
};

const event = (name: string, body: object) =>
  encodeMessage({ messageType: 'event', name, body: JSON.stringify(body) });

/** @param parts the parts of the answer */
export async function startInstantBedrock(parts: readonly string[]): Promise<InstantBedrock> {
  const asked: { atMs: number; path: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ atMs: Date.now(), path: request.url ?? '', body });
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    for (const part of parts) {
      response.write(event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: part } }));
    }
    response.write(event('messageStop', { stopReason: 'end_turn' }));
    response.end(event('metadata', { usage: { inputTokens: 500, outputTokens: 9, totalTokens: 509 } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
