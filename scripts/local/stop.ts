/** When the service on this machine has to stop. */

/** Calls `stop` once: at the first SIGINT, SIGTERM or SIGHUP, or when npm, which started this process, has ended. */
export function onStop(stop: () => void): void {
  let stopping = false;
  const stopOnce = () => {
    if (stopping) return;
    stopping = true;
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOnce);
  // A signal to npm ends npm and its shell, and does not reach us; that we have another parent then does.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && stopOnce(), 250).unref();
}
