/** Calls a function again whenever files change. */

import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';

/** Editors and `git checkout` change many files at once. A run starts after this pause, and handles all of them. */
const quietMs = 300;

/** A run starts after this time even if the changes never stop. */
const patienceMs = 5000;

/**
 * @param run is never called while it still runs. Changes during a run lead to another one.
 * @returns when the signal is aborted
 */
export async function runOnChanges(
  folder: string,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  let changedMs: number | undefined;
  let firstMs = 0;
  let wake = () => {};
  const watcher = watch(folder, {
    ignoreInitial: true,
    // A link could lead to the root of the disk. What is inside the folder is watched anyway.
    followSymlinks: false,
    ignored: (path, stats) =>
      stats?.isSymbolicLink() === true || /[\\/](\.[^\\/.]|node_modules$)/.test(path.slice(folder.length)),
  });
  watcher.on('all', () => {
    if (changedMs === undefined) firstMs = performance.now();
    changedMs = performance.now();
    wake();
  });
  const aborted = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
  // The system may have a limit of watched folders, for example.
  const failed = new Promise<never>((_, reject) => watcher.on('error', reject));
  failed.catch(() => {});
  try {
    await Promise.race([new Promise<void>((ready) => watcher.once('ready', ready)), failed]);
    await run();
    while (!signal.aborted) {
      if (changedMs === undefined)
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), aborted, failed]);
      while (changedMs !== undefined && !signal.aborted) {
        const now = performance.now();
        const left = Math.min(changedMs + quietMs, firstMs + patienceMs) - now;
        if (left <= 0) break;
        await sleep(left, undefined, { signal }).catch(() => {});
      }
      if (signal.aborted) break;
      changedMs = undefined;
      await run();
    }
  } finally {
    await watcher.close();
  }
}
