/**
 * Whether other work on this machine falsifies the figures. A fixed loop on all processors at once shows it: on an idle machine, it
 * takes as long as it takes processors. Samples are taken before, between and after the rounds of a benchmark, while the benchmark
 * itself waits.
 */

import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { median } from './statistics.ts';

/** A run of the loop on one processor. */
export type Sample = { elapsedMs: number; processorMs: number };

/** Others may take this share of the processors. */
export const tolerated = 0.15;

/**
 * @param samples of one machine: the fastest shows how fast the machine is, because virtual machines also lose time that counts as
 *   processor time
 * @returns the share of the processors that other work took, in the median
 */
export function takenByOthers(samples: readonly Sample[]): number {
  const fastestMs = Math.min(...samples.map(({ processorMs }) => processorMs));
  return median(samples.map(({ elapsedMs }) => Math.max(0, 1 - fastestMs / elapsedMs)));
}

/** @returns why the figures of these samples' time are not used; undefined if they are */
export function refusal(samples: readonly Sample[]): string | undefined {
  const taken = takenByOthers(samples);
  // Without samples, nothing is known.
  if (taken <= tolerated) return undefined;
  return `the machine is too busy: other work takes ${percent(taken)} of the processors, and at most ${percent(tolerated)} may be taken`;
}

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

const iterations = 4e7;
const loop = `
  const { parentPort } = require('node:worker_threads');
  const begunMs = performance.now();
  const before = process.threadCpuUsage();
  let sum = 0;
  for (let index = 0; index < ${iterations}; index += 1) sum = (sum * 31 + index) | 0;
  const { user, system } = process.threadCpuUsage(before);
  parentPort.postMessage({ sum, elapsedMs: performance.now() - begunMs, processorMs: (user + system) / 1000 });`;

const runLoop = () =>
  new Promise<Sample>((done, fail) => {
    const worker = new Worker(loop, { eval: true });
    worker.once('message', ({ elapsedMs, processorMs }: Sample) => done({ elapsedMs, processorMs }));
    worker.once('error', fail);
  });

const samples: Sample[] = [];
let lastMs = Number.NEGATIVE_INFINITY;
const pauseMs = 5000;
const samplesAtRest = 5;

async function sample(): Promise<void> {
  samples.push(...(await Promise.all(cpus().map(runLoop))));
  lastMs = performance.now();
}

/**
 * Call it between rounds. It takes a sample every few seconds.
 * @param settleMs the benchmark's own workers are done after this time; a sample waits for them, because they are not other work
 */
export async function watchMachine(settleMs = 0): Promise<void> {
  if (performance.now() - lastMs <= pauseMs) return;
  await sleep(settleMs);
  await sample();
}

/** Takes some samples in a row, before the first round and after the last one. @returns all samples of this process */
export async function samplesSoFar(): Promise<readonly Sample[]> {
  for (let count = 0; count < samplesAtRest; count += 1) {
    await sample();
    await sleep(100);
  }
  return samples;
}
