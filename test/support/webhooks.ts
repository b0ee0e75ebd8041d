/** Receivers of webhooks on this machine, and the sender without its queue. */

import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tenant } from '../../lib/base/caller.ts';
import { createWorkerHandler } from '../../lib/workers/handler.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { type Json, openApi, type TestApi, toLoopback } from '../../samples/api.ts';
import { queueEvent, recordingQueue } from '../../samples/lambda-queue.ts';
import webhookSender from '../../workers/webhook-sender.ts';

export type Received = { headers: IncomingHttpHeaders; body: string; atMs: number };

export type Receiver = {
  url: string;
  received: Received[];
  /** Answers from now on. Default: 200 `ok`. */
  respond(listener: RequestListener): void;
  close(): Promise<void>;
  /** For `await using`: closes it. */
  [Symbol.asyncDispose](): Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let listener: RequestListener = (_, response) => void response.end('ok');
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body, atMs: Date.now() });
    listener(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    respond(next) {
      listener = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @returns a listener that answers with a status */
export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

export type Delivery = {
  id: string;
  status: string;
  eventId: string;
  attempts: { status: number | null; error: string | null; body: string | null; at: string }[];
  nextAttemptAt: string | null;
};

/** An API with a webhook, in which notices reach the sender when a test says so. */
export async function openWebhook(
  url: string,
  body: Json = {},
  adjust: Parameters<typeof openApi>[0] = () => ({}),
) {
  const api = await openApi((runtime) => ({
    ...toLoopback(runtime),
    randomFraction: () => 0,
    ...adjust({ ...runtime, ...toLoopback(runtime) }),
  }));
  const { data } = await api.call('POST', '/webhooks', { body: { url, eventTypes: ['*'], ...body } });
  const path = `/webhooks/${data.id}`;
  const find = async (id: string) => {
    const { data } = await api.call('GET', `${path}/deliveries?limit=100`);
    const found = (data.items as Delivery[]).find((one) => one.id === id);
    if (!found) throw new Error(`${id} is not in the list`);
    return found;
  };
  return {
    api,
    id: `${data.id}`,
    secret: `${data.secret}`,
    path,
    /** @returns a new delivery of a test event */
    async request(): Promise<Delivery> {
      const response = await api.call('POST', `${path}/test`);
      if (response.status !== 202) throw new Error(response.text);
      return response.data as Delivery;
    },
    /** Gives the sender a notice of the delivery. */
    attempt: (delivery: string) => attempt(api, noticeOf(api, `${data.id}`, delivery)),
    delivery: find,
  };
}

export const noticeOf = (
  { organisationId }: Pick<TestApi, 'organisationId'>,
  webhook: string,
  id: string,
): Notice => ({
  table: 'deliveries',
  kind: 'INSERT',
  tenant: `${organisationId}#live` as Tenant,
  partition: [webhook],
  id,
  atMs: 0,
  sequence: '1',
});

/**
 * @returns after how many seconds the notice comes again; undefined if it is done
 * @throws what the sender throws
 */
export async function attempt(
  { runtime }: Pick<TestApi, 'runtime'>,
  notice: Notice,
): Promise<number | undefined> {
  const faults: unknown[] = [];
  const log: typeof runtime.log = (line) => {
    if ('fault' in line && line.level === 'error') faults.push(line.fault);
    runtime.log(line);
  };
  const { queue, sentAgain } = recordingQueue();
  await createWorkerHandler(webhookSender, { ...runtime, log }, queue)(queueEvent([notice]), {});
  if (faults.length > 0) throw faults[0];
  return sentAgain[0]?.seconds;
}
