/** A stand-in for Bedrock's Converse API on this machine, and for an endpoint with OpenAI's chat completions. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Answer, answerLocally, type ConverseRequest, type ConverseResponse, failure } from './judge.ts';
import { keepingConnections } from './server.ts';
import { answerChat, answerConverseStream, type ChatBody } from './streaming.ts';

export type LocalJudge = { endpoint: string; close(): void };

/** Uses a free port, and does not keep the process alive. */
export async function startJudge(answer: Answer = answerLocally): Promise<LocalJudge> {
  const server = keepingConnections(
    createServer(async (request, response) => {
      const send = ({ status, body }: ConverseResponse) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body));
      const [, modelId, streams] = /^\/model\/([^/]+)\/converse(-stream)?$/.exec(request.url ?? '') ?? [];
      const isChat = request.url === '/v1/chat/completions';
      if (request.method !== 'POST' || (modelId === undefined && !isChat))
        return send(failure(404, 'no such operation'));
      try {
        const body: unknown = JSON.parse(await text(request));
        if (isChat) return await answerChat(body as ChatBody, response);
        if (streams) return await answerConverseStream(body as ConverseRequest, response);
        return send(await answer(decodeURIComponent(modelId ?? ''), body as ConverseRequest));
      } catch (error) {
        return send(failure(400, (error as Error).message));
      }
    }),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
