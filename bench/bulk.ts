/**
 * All messages of a project: by a list and a transcript of each conversation, as callers did before there were exports, and by
 * an export. The caller and the worker are processes of their own, so that their memory can be told apart.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { inBatches } from '../lib/batches.ts';
import { tableVariables } from '../lib/dynamodb/tables.ts';
import type { StoredProject } from '../lib/projects/store.ts';
import { secretsKeyVariable } from '../lib/secret-box.ts';
import { answeringLinks, type FolderOptions, folderFiles } from '../scripts/local/files.ts';
import { basePath, createGateway, type Route } from '../scripts/local/gateway.ts';
import { localSecretsKey } from '../scripts/local/machine-key.ts';
import { routesOf } from '../scripts/local/service.ts';
import { root } from '../scripts/shared/root.ts';
import exporter from '../workers/exporter.ts';
import { fillConversation, messagesEach } from './conversation-history.ts';
import { meter } from './meter.ts';
import { billedMs, functionGb, perMillionPrices, transferGbPrice } from './prices.ts';
import { type Bench, tablePrefix } from './service.ts';
import { progress, table } from './statistics.ts';
import { readUnitRows } from './units.ts';

const conversations = 5000;
const messages = conversations * messagesEach;
const atOnce = 8;

type Caller = { messages: number; seconds: number; grownBytes: number };
type Worker = { seconds: number; grownBytes: number; readUnits: number; writeUnits: number };

/** What the service has done for a caller. */
type Work = {
  /** Also those for files. */
  requests: number;
  /** Of the endpoints' functions. */
  billedMs: number;
  sentBytes: number;
  readUnits: number;
  writeUnits: number;
  worker?: Worker;
};

export async function bulk(bench: Bench): Promise<string> {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'Bulk' } });
  const project = data as StoredProject;
  const tenant = `${bench.organisationId}#live`;
  const target = { tenant, project, terms: new Set<string>() };
  const numbers = Array.from({ length: conversations }, (_, number) => number);
  progress(`bulk: filling ${conversations} conversations`);
  const nowMs = Date.now();
  await inBatches(numbers, atOnce, (number) => fillConversation(bench.runtime, target, number, nowMs));
  const folder = mkdtempSync(join(tmpdir(), 'bench-bulk-'));
  const service = await serve(bench, { tenant, project: project.id, folder });
  const ways = [
    ['a list, and a transcript of each conversation', 'loop', 1],
    [`the same, ${atOnce} at the same time`, 'loop', atOnce],
    ['an export', 'export', 1],
  ] as const;
  const rows: string[][] = [];
  let worker: Worker | undefined;
  for (const [name, way, lanes] of ways) {
    progress(`bulk: ${name}`);
    const { caller, work } = await service.during(() =>
      run<Caller>('bulk-caller.ts', [way, project.id, String(lanes)], {
        PLATFORM_BASE_URL: service.baseUrl,
        PLATFORM_API_KEY: bench.key,
      }),
    );
    if (caller.messages !== messages) throw new Error(`${name}: ${caller.messages} messages`);
    worker = work.worker ?? worker;
    rows.push([
      name,
      `${caller.seconds.toFixed(1)} s`,
      count(work.requests),
      count(work.readUnits + (work.worker?.readUnits ?? 0)),
      megabytes(caller.grownBytes),
      megabytes(work.sentBytes),
      `$${costOf(work).toFixed(4)}`,
    ]);
  }
  service.stop();
  rmSync(folder, { recursive: true });
  const head = ['', 'time', 'requests', 'read units', "caller's memory", 'sent', 'cost'];
  return [
    table(head, rows),
    '',
    `${count(messages)} messages in ${count(conversations)} conversations, with DynamoDB Local, the service and the caller on one ` +
      `machine. The export's worker took ${worker?.seconds.toFixed(1)} s and ${megabytes(worker?.grownBytes ?? 0)}, of ` +
      `the ${exporter.memoryMb} MB that it has. Memory is how much a process grew at most after it had loaded its code. Sent is what left ` +
      'the service, compressed. The cost has API Gateway, Lambda, DynamoDB and the transfer to the internet, without logs. ' +
      'S3 is less than a hundredth of it.',
  ].join('\n');
}

const count = (number: number) => Math.round(number).toLocaleString('en');
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** Runs a file of bench/ in a process of its own. @returns what it prints */
async function run<Result>(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  const child = spawn(process.execPath, [resolve(root, 'bench', file), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`${file} exited with ${code}`);
  return JSON.parse(printed) as Result;
}

const nothing: Work = { requests: 0, billedMs: 0, sentBytes: 0, readUnits: 0, writeUnits: 0 };

/** The API and its links over HTTP. A new export is done by a worker in a process of its own. */
async function serve(
  { runtime }: Bench,
  { tenant, project, folder }: { tenant: string; project: string; folder: string },
) {
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

  const startWorker = (id: string) =>
    run<Worker>(
      'bulk-exporter.ts',
      [
        JSON.stringify({
          folder,
          notice: { table: 'jobs', kind: 'INSERT', tenant, partition: [project], id, atMs: 0, sequence: '1' },
        }),
      ],
      { ...tableVariables(tablePrefix), [secretsKeyVariable]: localSecretsKey() },
    );
  const routes = routesOf({ ...runtime, client: metered.client, files: folderFiles(links) }).map(
    ({ endpoint, handler }): Route => ({
      endpoint,
      async handler(event, context) {
        const begun = performance.now();
        const result = await handler(event, context);
        const row = roundTrips.get(endpoint.id);
        // A request that waits is billed for the time that it waits.
        work.billedMs += endpoint.id === 'jobs.get' || !row ? performance.now() - begun : billedMs(row);
        if (endpoint.id === 'exports.create') working = startWorker(JSON.parse(result.body).data.id);
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

/** In dollars. */
function costOf(work: Work): number {
  const { requests, billedMs: endpointMs, sentBytes, worker } = work;
  const price = perMillionPrices;
  const million = (units: number, each: number) => (units * each) / 1e6;
  const gbSeconds =
    (endpointMs / 1000) * functionGb + (worker ? worker.seconds * (exporter.memoryMb / 1024) : 0);
  return (
    million(requests, price.gatewayRequests + price.functionRequests) +
    million(gbSeconds, price.functionGbSeconds) +
    million(work.readUnits + (worker?.readUnits ?? 0), price.readUnits) +
    million(work.writeUnits + (worker?.writeUnits ?? 0), price.writeUnits) +
    (sentBytes / 2 ** 30) * transferGbPrice
  );
}
