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

/** @returns a message of the stream */
export const event = (name: string, body: unknown, messageType = 'event'): Buffer =>
  Buffer.from(encodeMessage({ messageType, name, body: JSON.stringify(body) }));

export const said = (text: string): Buffer =>
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text } });

export const stopped = (stopReason = 'end_turn'): Buffer => event('messageStop', { stopReason });

export const used = (inputTokens: number, outputTokens: number): Buffer =>
  event('metadata', { usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } });

/** @param parts the parts of the answer */
export async function startInstantBedrock(parts: readonly string[]): Promise<InstantBedrock> {
  const asked: { atMs: number; path: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ atMs: Date.now(), path: request.url ?? '', body });
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    for (const part of parts) response.write(said(part));
    response.write(stopped());
    response.end(used(500, 9));
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
