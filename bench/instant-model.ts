/** A model with OpenAI's chat completions that answers at once, so its time is not part of what is measured. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Message = { role: string; content: string };

export type InstantModel = {
  /** The variables with which `npm run dev` lists it. */
  variables: Readonly<Record<string, string>>;
  /** When the last request came: epoch milliseconds. */
  askedMs(): number;
  /** Calls it as a program would. @returns when the first text has come */
  ask(messages: readonly Message[]): Promise<void>;
  stop(): Promise<void>;
};

const words = ['You ', 'can ', 'send ', 'it ', 'back ', 'within ', 'ten ', 'days. ', '[1]'];

const eventOf = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

export async function startInstantModel(name: string): Promise<InstantModel> {
  let askedMs = 0;
  const server = createServer(async (request, response) => {
    await json(request);
    askedMs = Date.now();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of words) response.write(eventOf({ choices: [{ index: 0, delta: { content } }] }));
    response.write(eventOf({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    response.write(eventOf({ choices: [], usage: { prompt_tokens: 500, completion_tokens: words.length } }));
    response.end('data: [DONE]\n\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    variables: { PLATFORM_MODEL_URL: url, PLATFORM_MODEL: name },
    askedMs: () => askedMs,
    async ask(messages) {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: name, stream: true, max_tokens: 1024, messages }),
      });
      await response.text();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
