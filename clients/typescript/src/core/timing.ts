/** Waits until a time, or until a signal. */

/** @returns a promise that rejects with the signal's reason, and a function that stops listening to the signal */
export function whenAborted(signal: AbortSignal): { aborted: Promise<never>; stop: () => void } {
  let listener = () => {};
  const aborted = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason);
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener);
  });
  // It is possible that nobody waits for the promise any more.
  aborted.catch(() => {});
  return { aborted, stop: () => signal.removeEventListener('abort', listener) };
}

/** `setTimeout` takes 32 bits: a longer time, or an endless one, would be over at once. The limit is 24 days. */
export const setTimer = (act: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(act, Math.min(ms, 2 ** 31 - 1));

/** Rejects with the signal's reason as soon as there is one. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((done) => {
    timer = setTimer(done, ms);
  });
  await unlessAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/** Rejects with the signal's reason as soon as there is one, even if the work ignores the signal. */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  const { aborted, stop } = whenAborted(signal);
  return Promise.race([work, aborted]).finally(stop);
}

/** @returns the milliseconds of a clock that nobody sets */
export const elapsedMs = (): number => performance.now();
