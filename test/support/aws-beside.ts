/** What a worker's process needs of SQS and S3: a queue that records notices, and a bucket without files. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SendMessageBatchRequest } from '@aws-sdk/client-sqs';
import { type Notice, readNotice } from '../../lib/workers/notice.ts';

export type AwsBeside = Awaited<ReturnType<typeof openAwsBeside>>;

const md5 = (body: string): string => createHash('md5').update(body).digest('hex');

/** Without a target, it is a request to S3. */
const filesStatus = (method = ''): number => ({ PUT: 200, DELETE: 204 })[method] ?? 404;

/** @returns its address, and a function that returns the notices that were sent since its last call */
export async function openAwsBeside() {
  let sent: Notice[] = [];

  function answer(action: string, input: string): object {
    // Others wait, so each turn ends early.
    if (action === 'GetQueueAttributes') return { Attributes: { ApproximateNumberOfMessages: '1' } };
    if (action !== 'SendMessageBatch') return {};
    const { Entries = [] } = JSON.parse(input) as SendMessageBatchRequest;
    sent.push(...Entries.map(({ MessageBody = '' }) => readNotice(MessageBody)));
    return {
      Successful: Entries.map(({ Id, MessageBody = '' }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: md5(MessageBody),
      })),
    };
  }

  const server = createServer(async (request: IncomingMessage, response) => {
    // A killed process ends its requests.
    const input = await text(request).catch(() => undefined);
    if (input === undefined) return;
    const [, action] = `${request.headers['x-amz-target'] ?? ''}`.split('.');
    if (action === undefined) response.writeHead(filesStatus(request.method)).end();
    else {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answer(action, input)));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    takeNotices(): Notice[] {
      const notices = sent;
      sent = [];
      return notices;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
