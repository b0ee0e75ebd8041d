/**
 * Turns: requests of one process that change the same item do so one after another, in the order they came, so that each of
 * them is decided once or twice and not once for each that is faster. It saves work where one process serves many requests,
 * as the development server does; Lambda gives each process one request at a time, and contention.ts does without shared
 * memory. Nothing but time depends on turns: the conditions of the writes decide.
 */

export type Turns = { open(): Turn };

/** One request's turn. It has one at most, so no two wait for each other. */
export type Turn = {
  /** Waits where others have, or wait for, the turn of one of these items. @returns whether it had to wait */
  queue(items: readonly string[]): Promise<boolean>;
  /** Takes the item's turn, behind all who have or wait for it. @returns whether it had to wait */
  take(item: string): Promise<boolean>;
  /** Gives the turn, if it has one, to the next. */
  end(): void;
};

export function createTurns(): Turns {
  /** By item, the end of the last turn in its line. A line is gone with its last request. */
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
