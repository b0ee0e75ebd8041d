/**
 * Two times that keep a worker, which has not seen an erasure yet, from writing after it. Whoever derives data from a message
 * reads whether its conversation is erased, and writes for a limited time after that. An erasure removes derived data only
 * when that time is over for every worker that may have read before it. So it does not matter in which order workers get the
 * changes, how often, or whether one of them was killed in between.
 */

export type Fence = {
  /** A worker writes for this long after it has read. Milliseconds. */
  writeMs: number;
  /**
   * An erasure waits this long. Longer than `writeMs`, because the times of changes are whole seconds, and clocks differ.
   * Milliseconds.
   */
  waitMs: number;
};

export const fence: Fence = { writeMs: 4000, waitMs: 6000 };
