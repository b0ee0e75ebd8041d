/**
 * Reads documents in a separate thread, so that a malicious document costs no more than its budget of CPU, time and
 * memory, and delays nothing else. A thread that exceeds its budget is stopped.
 */

import { Worker } from 'node:worker_threads';
import type { Section } from '../../readers/sections.ts';
import type { ReadPage } from '../../readers/web-page/read-page.ts';
import { currentAlgorithm } from '../index/algorithms.ts';
import type { ChunkTerms } from '../index/common/terms.ts';
import { failure, type Outcome, type Readable, type Reading, type Task } from './read-document.ts';

/** The budget of one document. */
export type Budget = {
  cpuMs: number;
  /** The limit is generous, because threads wait for a processor on a busy machine. */
  elapsedMs: number;
  heapMb: number;
};

/** The largest document takes about a second on a slow processor, and 100 MB. */
const defaultBudget: Budget = { cpuMs: 5_000, elapsedMs: 60_000, heapMb: 384 };
const checkEveryMs = 100;

export type DocumentReader = {
  /** @returns the chunks, or `document_too_complex` if the budget was exceeded */
  read(document: Readable): Promise<Reading>;
  /**
   * @returns the terms of a document that was read before
   * @throws Error if the budget was exceeded this time
   */
  terms(
    document: { title: string; chunks: readonly Section[] },
    algorithm?: string,
  ): Promise<readonly ChunkTerms[]>;
  /** @returns what a page of a source has; undefined if the budget was exceeded */
  page(html: string): Promise<ReadPage | undefined>;
  /** The number of documents whose reading was stopped. */
  stopCount(): number;
  /** Ends the thread. The next document starts another one. */
  close(): Promise<void>;
};

/** The thread's file, next to this one, as source or as bundle. */
const threadFile = () =>
  new URL(import.meta.url.endsWith('.ts') ? 'reading-thread.ts' : 'reading-thread.mjs', import.meta.url);

/** @returns a reader for one document at a time. Its thread starts with the first one */
export function openDocumentReader(
  budget: Budget = defaultBudget,
  file: () => URL = threadFile,
): DocumentReader {
  let thread: Worker | undefined;
  let stopCount = 0;

  async function perform<Some extends Task>(task: Some): Promise<Outcome<Some> | undefined> {
    thread ??= await start(file(), budget);
    const outcome = await ask(thread, task, budget);
    // Without an outcome, the thread has stopped or is about to stop.
    if (outcome === undefined) thread = undefined;
    return outcome as Outcome<Some> | undefined;
  }

  return {
    async read(document) {
      const reading = await perform({ kind: 'read', document });
      if (reading) return reading;
      stopCount += 1;
      const limit = `${budget.cpuMs / 1000} s of CPU time or ${budget.heapMb} MB of memory`;
      return failure('document_too_complex', `Reading was stopped because it takes more than ${limit}.`);
    },
    async terms(document, algorithm = currentAlgorithm) {
      const terms = await perform({ kind: 'terms', document, algorithm });
      if (!terms) throw new Error('indexing took too long for a document that could be read');
      return terms;
    },
    async page(html) {
      return (await perform({ kind: 'page', html })) ?? undefined;
    },
    stopCount: () => stopCount,
    async close() {
      await thread?.terminate();
      thread = undefined;
    },
  };
}

/** @returns the thread when it is ready. Its start is not part of a budget */
async function start(file: URL, { heapMb }: Budget): Promise<Worker> {
  const thread = new Worker(file, {
    // The reader stops it at `heapMb`. If memory grows faster than the reader checks, V8 stops the thread at this
    // limit. It must be much higher, because V8 ends the whole process if a single object exceeds it.
    resourceLimits: { maxOldGenerationSizeMb: 2 * heapMb },
    // The thread needs no settings or credentials of the function.
    env: {},
    execArgv: [],
  });
  await new Promise((resolve, reject) => {
    thread.once('message', resolve);
    // This listener stays: an error that stops the thread (ERR_WORKER_OUT_OF_MEMORY) must not end the process.
    thread.on('error', reject);
  });
  return thread;
}

/** @returns undefined if the thread was stopped or has ended */
function ask(thread: Worker, task: Task, budget: Budget): Promise<unknown> {
  return new Promise((resolve) => {
    const startMs = performance.now();
    let cpuAtFirstMs: number | undefined;
    let isOver = false;
    const end = (outcome: unknown) => {
      isOver = true;
      clearInterval(watch);
      thread.off('message', end).off('exit', onExit);
      resolve(outcome);
    };
    const onExit = () => end(undefined);
    const stop = () => {
      // The end is not awaited, because a thread stops only after its native code returns.
      void thread.terminate();
      end(undefined);
    };
    const watch = setInterval(async () => {
      const isLate = performance.now() - startMs > budget.elapsedMs;
      const usage = isLate ? undefined : await usageOf(thread);
      if (isOver) return;
      if (isLate) return stop();
      if (!usage) return;
      cpuAtFirstMs ??= usage.cpuMs;
      if (usage.cpuMs - cpuAtFirstMs > budget.cpuMs || usage.heapMb > budget.heapMb) stop();
    }, checkEveryMs);
    thread.once('message', end).once('exit', onExit);
    thread.postMessage(task);
  });
}

/** @returns undefined if the thread has ended in between */
async function usageOf(thread: Worker): Promise<{ cpuMs: number; heapMb: number } | undefined> {
  try {
    const [{ user, system }, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
    return { cpuMs: (user + system) / 1000, heapMb: heap.used_heap_size / 2 ** 20 };
  } catch {
    return undefined;
  }
}
