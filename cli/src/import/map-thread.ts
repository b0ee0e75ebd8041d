/** Runs a map in a thread, and stops a map that does not end. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { usageError } from '../errors.ts';
import type { Converted, MapOptions } from './convert/converted.ts';
import type { Answer } from './convert/worker.ts';

export type MapLimits = { recordMs: number; batchMs: number; batchBytes: number; batchRecords: number };

/** Most maps take less than a millisecond for a record. */
export const mapLimits: MapLimits = {
  recordMs: 30_000,
  batchMs: 30_000,
  batchBytes: 256 * 1024,
  batchRecords: 64,
};

const file = new URL(
  import.meta.url.endsWith('.ts') ? './convert/worker.ts' : './convert.js',
  import.meta.url,
);

export type TextRecord = { line: number; text: string };

export class MapThread {
  readonly #options: MapOptions;
  readonly #limits: MapLimits;
  readonly #signal: AbortSignal;
  #worker: Worker | undefined;

  constructor(options: MapOptions, limits: MapLimits, signal: AbortSignal) {
    this.#options = options;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** @throws CliError if jq cannot compile the map or a score */
  async start(): Promise<void> {
    // jq prints a word when it has no memory. The record gets a reason instead.
    this.#worker = new Worker(file, { workerData: this.#options, stdout: true, stderr: true });
    const answer = await this.#answer(undefined);
    if (answer && 'invalid' in answer) throw usageError(answer.invalid);
  }

  /** @throws CliError if the map does not end for one of the records */
  async convert(records: readonly TextRecord[]): Promise<Converted[]> {
    const [first, ...others] = records;
    if (!first) return [];
    const { recordMs, batchMs } = this.#limits;
    const together = await this.#send(records, others.length === 0 ? recordMs : batchMs);
    if (together) return together;
    if (others.length === 0)
      throw usageError(
        `The map did not end within ${recordMs / 1000} s for the record in line ${first.line}.`,
        'Correct the map. Nothing was sent.',
      );
    const results: Converted[] = [];
    for (const record of records) results.push(...(await this.convert([record])));
    return results;
  }

  stop = async (): Promise<void> => {
    await this.#worker?.terminate();
    this.#worker = undefined;
  };

  /** @returns undefined if the time is over. The thread is then stopped */
  async #send(records: readonly TextRecord[], ms: number): Promise<Converted[] | undefined> {
    if (!this.#worker) await this.start();
    this.#worker?.postMessage(records.map(({ text }) => text));
    const answer = await this.#answer(ms);
    return answer && 'converted' in answer ? answer.converted : undefined;
  }

  async #answer(ms: number | undefined): Promise<Answer | undefined> {
    const worker = this.#worker;
    if (!worker) throw new Error('the thread has not started');
    const stop = new AbortController();
    const timer = ms === undefined ? undefined : setTimeout(() => stop.abort(), ms);
    try {
      const signal = AbortSignal.any([stop.signal, this.#signal]);
      const [answer] = (await once(worker, 'message', { signal })) as [Answer];
      return answer;
    } catch (error) {
      await this.stop();
      if (this.#signal.aborted) throw this.#signal.reason;
      if (stop.signal.aborted) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
