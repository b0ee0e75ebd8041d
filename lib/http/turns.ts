/**
 * Turns: requests of one process that change the same item run one after the other, in order of arrival, so each is
 * handled once or twice. This saves work if a process serves many requests, as the dev server does. Lambda gives each
 * process one request at a time; contention.ts works without shared memory. Turns only save time: the conditions
 * of the writes ensure correctness.
 */

export type Turns = { open(): Turn };

/** The turn of one request. A request has at most one, so no two wait for each other. */
export type Turn = {
  /** Waits if other requests have, or wait for, the turn of one of these items. @returns whether it had to wait */
  queue(items: readonly string[]): Promise<boolean>;
  /** Takes the item's turn after all requests that have or wait for it. @returns whether it had to wait */
  take(item: string): Promise<boolean>;
  /** Passes its turn, if it has one, to the next request. */
  end(): void;
};

export function createTurns(): Turns {
  /** By item, the end of the last turn in its queue. A queue is removed with its last request. */
  const ends = new Map<string, Promise<void>>();

  function open(): Turn {
    let end: (() => void) | undefined;

    async function take(item: string): Promise<boolean> {
      if (end) return false;
      const before = ends.get(item);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(item, promise);
      end = () => {
        if (ends.get(item) === promise) ends.delete(item);
        resolve();
      };
      await before;
      return before !== undefined;
    }

    return {
      take,
      async queue(items) {
        const item = end ? undefined : items.find((item) => ends.has(item));
        return item !== undefined && take(item);
      },
      end: () => end?.(),
    };
  }

  return { open };
}
