/** Threads of workers on this machine: the long pieces of a worker delay neither the API nor the other workers. */

import { once } from 'node:events';
import { isMainThread, parentPort, Worker as Thread, threadName, workerData } from 'node:worker_threads';
import { type BaseRuntime, createBaseRuntime } from '../../lib/runtime/base-runtime.ts';
import type { Variables } from '../../lib/runtime/function-client.ts';
import { useEncoder } from '../../lib/search/semantic/encoder.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { workers } from '../../workers/index.ts';
import knowledgeExtractor from '../../workers/knowledge-extractor.ts';
import sourceRefresher from '../../workers/source-refresher.ts';
import { fetchPackage } from '../shared/fetched-packages.ts';
import { patientClient } from './dynamodb.ts';
import { fetchedEncoder } from './encoder.ts';
import { folderFiles } from './files.ts';
import { logForPeople } from './log-for-people.ts';
import { openQueue, type Queue } from './queues.ts';
import { afterWrites } from './writes.ts';

export type Settings = { env: Variables; filesFolder: string };

const stopOrder = 'stop';

/** The memory of a worker that holds no large data at a time. */
const usualMemoryMb = 512;

/** Runs at a time. The thread has one processor at most, so more would only wait for each other. */
const maxConcurrency = 4;

/** Whether its pieces take long: it holds large data at a time, which it reads, searches or compresses. */
export const hasOwnThread = ({ memoryMb, batchSize }: Worker): boolean =>
  memoryMb > usualMemoryMb && batchSize === 1;

/** @param onWrite gets the names of the tables that the thread has written to */
export function threadRuntime(
  { env, filesFolder }: Settings,
  onWrite: (tableNames: readonly string[]) => void,
): BaseRuntime {
  useEncoder(fetchedEncoder);
  // Workers make no links.
  const files = folderFiles({ folder: filesFolder, origin: '', secret: '', nowMs: Date.now });
  const runtime = { ...createBaseRuntime(env, patientClient, files), log: logForPeople };
  afterWrites(runtime.client, onWrite);
  return runtime;
}

/** The queue of a worker that has its own thread, which starts with the first notice. */
export function openThreadQueue(
  worker: Worker,
  settings: Settings,
  onWrite: (tableNames: readonly string[]) => void,
): Pick<Queue, 'add' | 'stop'> {
  let thread: Thread | undefined;
  function start(): Thread {
    const started = new Thread(new URL(import.meta.url), { name: worker.id, workerData: settings });
    started.on('message', onWrite);
    started.on('error', (error) => {
      thread = undefined;
      console.error(`The worker ${worker.id} has stopped:`, error);
    });
    return started;
  }
  return {
    add(notices) {
      thread ??= start();
      thread.postMessage(notices);
    },
    async stop() {
      if (thread) await stopThread(thread);
    },
  };
}

/** Resolves when the thread has ended. */
export async function stopThread(thread: Thread): Promise<void> {
  const ended = once(thread, 'exit');
  thread.postMessage(stopOrder);
  await ended;
}

/** Passes each order on to the thread, until the order to stop. */
export const untilStopped = <Order>(
  port: NonNullable<typeof parentPort>,
  follow: (order: Order) => void,
): Promise<void> =>
  new Promise((stop) => {
    port.on('message', (order: Order | typeof stopOrder) => (order === stopOrder ? stop() : follow(order)));
  });

async function fetchCharacterMaps(): Promise<void> {
  await fetchPackage('pdfjs-dist').catch((cause: unknown) => {
    console.error(
      'npm cannot fetch the character maps of PDFs, so Chinese, Japanese and Korean text may be missing:',
      cause,
    );
  });
}

async function runThread(port: NonNullable<typeof parentPort>, worker: Worker): Promise<void> {
  if (worker === knowledgeExtractor || worker === sourceRefresher) await fetchCharacterMaps();
  const runtime = threadRuntime(workerData as Settings, (tableNames) => port.postMessage(tableNames));
  const queue = openQueue({ ...worker, maxConcurrency }, runtime, 1000);
  await untilStopped<readonly Notice[]>(port, queue.add);
  await queue.stop();
  port.close();
}

const own = isMainThread ? undefined : workers.find(({ id }) => id === threadName);
if (parentPort && own) await runThread(parentPort, own);
