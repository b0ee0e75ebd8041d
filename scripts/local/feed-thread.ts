/** The thread of the change feed: a long job of a worker does not delay the server's responses. */

import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { minuteMs } from '../../lib/base/time.ts';
import { type BaseRuntime, createBaseRuntime } from '../../lib/runtime/base-runtime.ts';
import type { Variables } from '../../lib/runtime/function-client.ts';
import { runSchedule, schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import { workers } from '../../workers/index.ts';
import { patientClient } from './dynamodb.ts';
import { isShort, startFeed } from './feed.ts';
import { folderFiles } from './files.ts';
import { logForPeople } from './log-for-people.ts';

type Settings = { endpoint: string; env: Variables; filesFolder: string };

export type FeedThread = {
  /** How late the workers are. */
  behindMs(): number;
  /** Prints the lines of the workers, also those from before. */
  showLog(): void;
  stop(): Promise<void>;
};

/** Runs at a time of a worker of short work. More would only wait for each other, for DynamoDB Local. */
const maxConcurrency = 2;
const reportMs = 100;

/** Starts the workers in a thread. With --persist, they start with work from before this start. */
export async function startFeedThread(settings: Settings): Promise<FeedThread> {
  const thread = new Worker(new URL(import.meta.url), { workerData: settings, stdout: true, stderr: true });
  // Rejects if the thread fails.
  await once(thread, 'message');
  let behindMs = 0;
  thread.on('message', (reported: number) => {
    behindMs = reported;
  });
  thread.on('error', (error) => {
    behindMs = 0;
    console.error('The workers have stopped:', error);
  });
  return {
    behindMs: () => behindMs,
    showLog() {
      thread.stdout.pipe(process.stdout, { end: false });
      thread.stderr.pipe(process.stderr, { end: false });
    },
    async stop() {
      const ended = once(thread, 'exit');
      thread.postMessage('stop');
      await ended;
    },
  };
}

const ids = workers.map(({ id }) => id);
const localWorkers = workers.map((worker) => (isShort(worker) ? { ...worker, maxConcurrency } : worker));

/** Runs at once and then every minute, as the rule on AWS does. The next run repeats a failed run. */
function everyMinute(run: () => Promise<unknown>, log: BaseRuntime['log']): { stop(): Promise<unknown> } {
  const attempt = () =>
    run().catch((fault: unknown) =>
      log({ level: 'error', message: 'work failed', worker: schedulerId, tenant: '', item: '', fault }),
    );
  let running: Promise<unknown> = attempt();
  const timer = setInterval(() => {
    running = running.then(attempt);
  }, minuteMs);
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}

async function runThread(port: NonNullable<typeof parentPort>): Promise<void> {
  const { endpoint, env, filesFolder } = workerData as Settings;
  // Workers make no links.
  const files = folderFiles({ folder: filesFolder, origin: '', secret: '', nowMs: Date.now });
  const runtime = { ...createBaseRuntime(env, patientClient, files), log: logForPeople };
  const feed = await startFeed(localWorkers, runtime, { endpoint, from: 'TRIM_HORIZON' });
  const timer = everyMinute(() => runSchedule(ids, runtime, feed.sender), runtime.log);
  port.postMessage('started');
  const reports = setInterval(() => port.postMessage(feed.behindMs()), reportMs);
  await once(port, 'message');
  clearInterval(reports);
  await timer.stop();
  await feed.stop();
  port.close();
}

if (!isMainThread && parentPort) await runThread(parentPort);
