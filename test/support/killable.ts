/** A worker's bundled function in processes that can be killed. */

import { type ChildProcess, fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import type { Worker } from '../../lib/workers/worker.ts';
import { localSettings, testTables } from '../../samples/tables.ts';
import { functionFolder } from '../../scripts/bundle/bundle.ts';

/**
 * Call this at the top of a test file. It kills what still runs at the end.
 * @param env additional variables
 * @returns a function that processes one event in a new process, which is killed after the given milliseconds
 */
export function killable(worker: Worker, env: Readonly<Record<string, string>> = {}) {
  const children = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  function startChild() {
    const child = fork(resolve(import.meta.dirname, 'worker-child.ts'), {
      env: {
        ...process.env,
        ...localSettings(),
        ...testTables(),
        WORKER: resolve(functionFolder(worker), 'index.mjs'),
        ...env,
      },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.add(child);
    const exited = once(child, 'exit').then(([code, signal]) => {
      children.delete(child);
      return signal ?? `exit ${code}`;
    });
    return { child, exited, ready: once(child, 'message') };
  }

  /** Starts while the previous one works. */
  let next: ReturnType<typeof startChild> | undefined;

  /** @returns the outcome (`done`, `failed`, or the signal) and the duration */
  return async function run(event: object, killAfterMs = Number.POSITIVE_INFINITY) {
    const { child, exited, ready } = next ?? startChild();
    next = startChild();
    await ready;
    const begun = performance.now();
    const said = once(child, 'message').then(([message]) => message as string);
    child.send(event);
    if (killAfterMs < Number.POSITIVE_INFINITY) {
      const isOver = await Promise.race([said, exited, sleep(killAfterMs)]);
      if (!isOver) child.kill('SIGKILL');
    }
    const end = await Promise.race([said, exited]);
    const tookMs = performance.now() - begun;
    child.kill('SIGKILL');
    await exited;
    return { end, tookMs };
  };
}

/** @returns a generator of numbers from 0 to below 1, the same for the same seed */
export function chanceOf(seed: number) {
  let drawn = 0;
  return () => Number.parseInt(hash('sha256', `${seed} ${drawn++}`).slice(0, 8), 16) / 2 ** 32;
}
