/**
 * Reads documents in a thread of its own, so that a document which is a trap costs no more than its budget of CPU, time
 * and memory, and holds up nothing else in the process. A thread that goes over it is stopped, wherever it is.
 */

import { Worker } from 'node:worker_threads';
import type { Chunk } from './chunks/chunk.ts';
import type { ChunkTerms } from './index/document-terms.ts';
import { failed, type Outcome, type Readable, type Reading, type Task } from './read-document.ts';

/** What one document may take. */
export type Budget = {
  cpuMs: number;
  /** Generous: on a busy machine a thread waits for a processor. */
  elapsedMs: number;
  heapMb: number;
};

/** The largest document takes about a second of a slow processor, and 100 MB. */
const defaultBudget: Budget = { cpuMs: 5_000, elapsedMs: 60_000, heapMb: 384 };
const checkEveryMs = 100;

export type DocumentReader = {
  /** @returns the chunks, or `document_too_complex` where that took more than the budget */
  read(document: Readable): Promise<Reading>;
  /**
   * @returns the terms of a document that was read before
   * @throws Error where that took more than the budget now
   */
  terms(document: { title: string; chunks: readonly Chunk[] }): Promise<readonly ChunkTerms[]>;
  /** How many documents were stopped so far. */
  stopped(): number;
  close(): Promise<void>;
};

/** Its file: beside this one, as a source or as a bundle. */
const threadFile = () =>
  new URL(import.meta.url.endsWith('.ts') ? 'reading-thread.ts' : 'reading-thread.mjs', import.meta.url);

/** @returns a reader, for one document at a time; its thread starts with the first */
export function openDocumentReader(
  budget: Budget = defaultBudget,
  file: () => URL = threadFile,
): DocumentReader {
  let thread: Worker | undefined;
  let stopped = 0;

  async function perform<Some extends Task>(task: Some): Promise<Outcome<Some> | undefined> {
    thread ??= await start(file(), budget);
    const outcome = await ask(thread, task, budget);
    // It has ended, or is about to.
    if (outcome === undefined) thread = undefined;
    return outcome as Outcome<Some> | undefined;
  }

  return {
    async read(document) {
      const reading = await perform({ kind: 'read', document });
      if (reading) return reading;
      stopped += 1;
      const limit = `${budget.cpuMs / 1000} s of CPU time or ${budget.heapMb} MB of memory`;
      return failed('document_too_complex', `Reading was stopped because it takes more than ${limit}.`);
    },
    async terms(document) {
      const terms = await perform({ kind: 'terms', document });
      if (!terms) throw new Error('indexing took too long for a document that could be read');
      return terms;
    },
    stopped: () => stopped,
    async close() {
      await thread?.terminate();
    },
  };
}

/** @returns the thread, when it is ready: its start is nobody's time */
async function start(file: URL, { heapMb }: Budget): Promise<Worker> {
  const thread = new Worker(file, {
    // The one who asks stops it at `heapMb`. Where memory grows faster than he looks, V8 stops the thread here: this has
    // to be far above, because V8 ends the whole process if one object alone goes over it.
    resourceLimits: { maxOldGenerationSizeMb: 2 * heapMb },
    // It needs none of the settings and credentials of the function.
    env: {},
    execArgv: [],
  });
  await new Promise((resolve, reject) => {
    thread.once('message', resolve);
    // It stays: what ends the thread, such as ERR_WORKER_OUT_OF_MEMORY, must not end the process.
    thread.on('error', reject);
  });
  return thread;
}

/** @returns undefined where the thread was stopped or has ended */
function ask(thread: Worker, task: Task, budget: Budget): Promise<unknown> {
  return new Promise((resolve) => {
    const begunMs = performance.now();
    let cpuAtFirstMs: number | undefined;
    let isOver = false;
    const end = (outcome: unknown) => {
      isOver = true;
      clearInterval(watch);
      thread.off('message', end).off('exit', exited);
      resolve(outcome);
    };
    const exited = () => end(undefined);
    const stop = () => {
      // Nobody waits for it: a thread in the middle of native code ends after that.
      void thread.terminate();
      end(undefined);
    };
    const watch = setInterval(async () => {
      const isLate = performance.now() - begunMs > budget.elapsedMs;
      const spent = isLate ? undefined : await spentBy(thread);
      if (isOver) return;
      if (isLate) return stop();
      if (!spent) return;
      cpuAtFirstMs ??= spent.cpuMs;
      if (spent.cpuMs - cpuAtFirstMs > budget.cpuMs || spent.heapMb > budget.heapMb) stop();
    }, checkEveryMs);
    thread.once('message', end).once('exit', exited);
    thread.postMessage(task);
  });
}

/** @returns undefined where the thread has ended in between */
async function spentBy(thread: Worker): Promise<{ cpuMs: number; heapMb: number } | undefined> {
  try {
    const [{ user, system }, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
    return { cpuMs: (user + system) / 1000, heapMb: heap.used_heap_size / 2 ** 20 };
  } catch {
    return undefined;
  }
}
