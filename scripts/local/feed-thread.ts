/** The thread of the change feed and of the workers without threads of their own: they do not delay the server's responses. */

import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { minuteMs } from '../../lib/base/time.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { runSchedule, schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import { workers } from '../../workers/index.ts';
import { type Feed, isShort, startFeed } from './feed.ts';
import {
  hasOwnThread,
  openThreadQueue,
  stopThread,
  type Settings as ThreadSettings,
  threadRuntime,
  untilStopped,
} from './worker-thread.ts';

type Settings = ThreadSettings & {
  endpoint: string;
  /** Whether other processes may write to the database without waking the thread. */
  isShared: boolean;
};

/** To the thread: it reads the streams of these tables, or of all tables. */
type Order = { read: readonly string[] | undefined };

export type FeedThread = {
  /** How late the workers are. */
  behindMs(): number;
  /** Reads the streams of these tables soon, because they were written to. Default: of all tables. */
  wake(tableNames?: readonly string[]): void;
  /** Prints the lines of the workers, also those from before. */
  showLog(): void;
  stop(): Promise<void>;
};

/** Runs at a time of a worker of short work. More would only wait for each other, for DynamoDB Local. */
const maxConcurrency = 2;
const reportMs = 100;
/**
 * How long a stream rests that nothing wakes. It may still change: DynamoDB Local removes expired items, and a request without a
 * response may have been a write.
 */
const restMs = 5000;

/** Starts the workers in threads. With --persist, they start with work from before this start. */
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
    wake: (read) => thread.postMessage({ read } satisfies Order),
    showLog() {
      thread.stdout.pipe(process.stdout, { end: false });
      thread.stderr.pipe(process.stderr, { end: false });
    },
    stop: () => stopThread(thread),
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
  const settings = workerData as Settings;
  const { endpoint, isShared } = settings;
  let started: Feed | undefined;
  const onWrite = (tableNames: readonly string[]) => started?.wake(tableNames);
  const runtime = threadRuntime(settings, onWrite);
  const feed = await startFeed(localWorkers, runtime, {
    endpoint,
    from: 'TRIM_HORIZON',
    restMs: isShared ? undefined : restMs,
    elsewhere: (worker) => (hasOwnThread(worker) ? openThreadQueue(worker, settings, onWrite) : undefined),
  });
  started = feed;
  // With --persist, workers may have written before all streams were open.
  feed.wake();
  const timer = everyMinute(() => runSchedule(ids, runtime, feed.sender), runtime.log);
  port.postMessage('started');
  let reported = 0;
  const reports = setInterval(() => {
    const behindMs = feed.behindMs();
    if (behindMs !== reported) port.postMessage(behindMs);
    reported = behindMs;
  }, reportMs);
  await untilStopped<Order>(port, ({ read }) => feed.wake(read));
  clearInterval(reports);
  await timer.stop();
  await feed.stop();
  port.close();
}

if (!isMainThread && parentPort) await runThread(parentPort);
