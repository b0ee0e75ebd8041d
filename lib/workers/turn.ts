/**
 * A turn is the time for which a notice keeps its place in a worker. A worker has few places, and all tenants share them. So a
 * turn begins nothing new after ten seconds: it has stored its position, and its notice goes back to the queue, where the notices
 * of other tenants come first. While no other notice waits, the turn goes on for up to a minute.
 */

import { secondMs } from '../base/time.ts';

/** A turn begins nothing new after so many times its length, also if no other notice waits. */
const maxTurns = 6;
/** How often a turn that goes on asks whether another notice waits. */
const askEveryMs = 2 * secondMs;

/** The turn is over. The work has stored its position, and goes on in the next turn of its notice. Not a fault. */
export class TurnOver extends Error {
  constructor() {
    super('the turn is over');
  }
}

export type Turn = {
  /** Whether the turn begins nothing new. */
  isOver(): boolean;
};

type Settings = {
  /** After this time, the turn begins nothing new if another notice waits. */
  turnMs: number;
  /** A monotonic clock. */
  elapsedMs(): number;
  /** @returns whether another notice of the worker waits for a place */
  isAwaited(): Promise<boolean>;
};

/** Opens a turn, which begins now. Its timer does not keep the process alive. */
export function openTurn({ turnMs, elapsedMs, isAwaited }: Settings): Turn & { close(): void } {
  const begunMs = elapsedMs();
  // Without an answer, somebody may wait.
  let isLast = false;
  const ask = async () => {
    isLast = !(await isAwaited().catch(() => true));
  };
  let timer = setTimeout(function askAgain() {
    void ask();
    timer = setTimeout(askAgain, askEveryMs).unref();
  }, turnMs / 2).unref();
  return {
    isOver() {
      const ms = elapsedMs() - begunMs;
      return ms >= maxTurns * turnMs || (ms >= turnMs && !isLast);
    },
    close: () => clearTimeout(timer),
  };
}

/** Where the work begins; empty for the begin. `save` is told how far it is, and may store that and end the turn. */
export type Checkpoint = { after: string; save(after: string): Promise<unknown> };

/**
 * Ends the turn if it is over.
 * @param store stores where the next turn goes on
 * @throws TurnOver
 */
export async function endTurn({ turn }: { turn: Turn }, store: () => Promise<unknown>): Promise<void> {
  if (!turn.isOver()) return;
  await store();
  throw new TurnOver();
}

/** @throws TurnOver if the turn is over. The work before this call is stored, so that the next turn goes on after it */
export function checkTurn({ turn }: { turn: Turn }): void {
  if (turn.isOver()) throw new TurnOver();
}
