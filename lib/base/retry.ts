/** Workers and scripts retry with this. Endpoints have lib/http/race.ts. */

/** An attempt returns this to be called again. */
export const again: unique symbol = Symbol('again');

/** So many attempts are enough for any race of workers that make progress. */
const defaultAttempts = 20;

type Options = {
  maxAttempts?: number;
  /** It is thrown when the last attempt returns `again`. */
  failure: () => Error;
  /** It waits before the next attempt. Attempts are counted from 1. */
  pause?: (attempt: number) => Promise<unknown>;
};

/**
 * Calls `attempt` until it returns a result other than `again`. An error that it throws is not retried.
 * @throws Error `failure`, after `maxAttempts` attempts
 */
export async function retry<Result>(
  attempt: () => Promise<Result | typeof again>,
  { maxAttempts = defaultAttempts, failure, pause }: Options,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    const result = await attempt();
    if (result !== again) return result;
    if (count === maxAttempts) throw failure();
    await pause?.(count);
  }
}
