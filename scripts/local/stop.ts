/** Detects when the local service must stop. */

/** Calls `stop` once: at the first SIGINT, SIGTERM or SIGHUP, or when npm, which started this process, has stopped. */
export function onStop(stop: () => void): void {
  let stopping = false;
  const stopOnce = () => {
    if (stopping) return;
    stopping = true;
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOnce);
  // A signal to npm stops npm and its shell but does not reach this process. It only gets another parent.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && stopOnce(), 250).unref();
}
