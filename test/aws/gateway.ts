/**
 * A gateway in front of a deployed stack. MiniStack does not know the address with which API Gateway streams, and its Lambda has no
 * streaming. So this gateway calls the function of `GET /downloads/{file}` as API Gateway does, and passes on all other requests.
 */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { functionName } from '../../infra/names.ts';
import type { ApiResponse } from '../../samples/api.ts';

/** Sends a request to the deployed API. */
export type Forward = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
) => Promise<ApiResponse>;

/** Calls the deployed function of `GET /downloads/{file}`. */
export async function invoke(file: string): Promise<APIGatewayProxyResult> {
  const event = {
    httpMethod: 'GET',
    path: `/v1/downloads/${file}`,
    resource: '/v1/downloads/{file}',
    pathParameters: { file },
    headers: { Accept: '*/*' },
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: randomUUID(), path: `/api/v1/downloads/${file}`, identity: {} },
  };
  const { Payload, FunctionError } = await new LambdaClient({}).send(
    new InvokeCommand({
      FunctionName: functionName('dev', 'downloads.get'),
      Qualifier: 'live',
      Payload: Buffer.from(JSON.stringify(event)),
    }),
  );
  expect(FunctionError).toBeUndefined();
  return JSON.parse(Buffer.from(Payload ?? []).toString()) as APIGatewayProxyResult;
}

export const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyResult) =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

const ofConnection = /^(host|connection|content-length|transfer-encoding|keep-alive)$/i;

const withoutConnection = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.test(name)));

async function answerOf(request: IncomingMessage, forward: Forward) {
  const { method = 'GET', url = '', headers } = request;
  const path = url.replace(/^\/api\/v1/, '');
  const file = /^\/downloads\/([^/?]+)$/.exec(path)?.[1];
  if (file !== undefined) {
    const result = await invoke(file);
    const sent = result.headers as Record<string, string>;
    return { status: result.statusCode, headers: sent, body: bytesOf(result) };
  }
  const sent = Object.entries(headers).map(([name, value]) => [name, `${value}`] as const);
  const forwarded = withoutConnection(Object.fromEntries(sent));
  const answer = await forward(method, path, forwarded, await text(request));
  return { status: answer.status, headers: withoutConnection(answer.headers), body: answer.text };
}

/** @returns the address of the API, without a trailing slash */
export async function openGateway(forward: Forward) {
  const server = createServer(async (request, response) => {
    try {
      const { status, headers, body } = await answerOf(request, forward);
      response.writeHead(status, headers).end(body);
    } catch (error) {
      response.writeHead(502).end(String(error));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${port}/api/v1`, close };
}
