/** The service of bench/bulk.ts: its requests, and its workers in processes of their own, so that their memory can be told apart. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { meter } from '../measures/meter.ts';
import { billedMs, functionGb, perMillionPrices, transferGbPrice } from '../measures/prices.ts';
import { readUnitRows } from '../measures/units.ts';
import { answeringLinks, type FolderOptions, folderFiles } from '../scripts/local/files.ts';
import { basePath, createGateway, type Route } from '../scripts/local/gateway.ts';
import { routesOf } from '../scripts/local/service.ts';
import { runFile } from './child.ts';
import type { Bench } from './service.ts';

export type Caller = { messages: number; seconds: number; grownBytes: number };
export type Worker = { seconds: number; grownBytes: number; readUnits: number; writeUnits: number };

/** What the service has done for a caller. */
export type Work = {
  /** The number of requests, with those for files. */
  requests: number;
  /** The time of the functions of endpoints. */
  billedMs: number;
  sentBytes: number;
  readUnits: number;
  writeUnits: number;
  worker?: Worker;
};

/** The worker that does the job of an endpoint. */
const workers: Readonly<Record<string, string>> = {
  'exports.create': 'exporter',
  'conversations.import-file': 'importer',
};

const nothing: Work = { requests: 0, billedMs: 0, sentBytes: 0, readUnits: 0, writeUnits: 0 };

/** The API and its links over HTTP. A new export is done by a worker in a process of its own. */
export async function serve({ runtime }: Bench, { tenant, folder }: { tenant: string; folder: string }) {
  let work = { ...nothing };
  let working: Promise<Worker | undefined> = Promise.resolve(undefined);
  const metered = meter(runtime.client);
  const roundTrips = new Map(readUnitRows().map((row) => [row.id, row]));
  const server = createServer((request, response) => {
    work.requests += 1;
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const links: FolderOptions = { folder, origin, secret: 'bench', nowMs: Date.now };

  const startWorker = (worker: string, project: string, id: string) => {
    const notice = {
      table: 'jobs',
      kind: 'INSERT',
      tenant,
      partition: [project],
      id,
      atMs: 0,
      sequence: '1',
    };
    return runFile<Worker>('bulk-worker.ts', [JSON.stringify({ folder, worker, notice })]);
  };
  const routes = routesOf({ ...runtime, client: metered.client, files: folderFiles(links) }).map(
    ({ endpoint, handler }): Route => ({
      endpoint,
      async handler(event, context) {
        const begun = performance.now();
        const result = await handler(event, context);
        const row = roundTrips.get(endpoint.id);
        // A request that waits is billed for the time that it waits.
        work.billedMs += endpoint.id === 'jobs.get' || !row ? performance.now() - begun : billedMs(row);
        const worker = workers[endpoint.id];
        if (worker) {
          const project = event.pathParameters?.project_id ?? '';
          working = startWorker(worker, project, JSON.parse(result.body).data.id);
        }
        return result;
      },
    }),
  );
  const listener = answeringLinks(links, createGateway(routes));
  server.on('connection', (socket) => {
    socket.once('close', () => {
      work.sentBytes += socket.bytesWritten;
    });
  });
  return {
    baseUrl: origin + basePath,
    /** What the service does for a caller, from its start to its end. */
    async during(call: () => Promise<Caller>): Promise<{ caller: Caller; work: Work }> {
      work = { ...nothing };
      working = Promise.resolve(undefined);
      metered.reset();
      const caller = await call();
      const worker = await working;
      while ((await connectionsOf(server)) > 0) await sleep(10);
      const { readUnits, writeUnits } = metered.usage();
      return { caller, work: { ...work, readUnits, writeUnits, ...(worker && { worker }) } };
    },
    stop: () => server.close(),
  };
}

const connectionsOf = (server: Server) =>
  new Promise<number>((found, reject) =>
    server.getConnections((error, connections) => (error ? reject(error) : found(connections))),
  );

/** The memory of both workers. */
const workerGb = 1;

/** @returns the cost in dollars */
export function costOf(work: Work): number {
  const { requests, billedMs: endpointMs, sentBytes, worker } = work;
  const price = perMillionPrices;
  const million = (units: number, each: number) => (units * each) / 1e6;
  const gbSeconds = (endpointMs / 1000) * functionGb + (worker ? worker.seconds * workerGb : 0);
  return (
    million(requests, price.gatewayRequests + price.functionRequests) +
    million(gbSeconds, price.functionGbSeconds) +
    million(work.readUnits + (worker?.readUnits ?? 0), price.readUnits) +
    million(work.writeUnits + (worker?.writeUnits ?? 0), price.writeUnits) +
    (sentBytes / 2 ** 30) * transferGbPrice
  );
}
