/**
 * Two times keep a worker from writing derived data after an erasure. A worker that derives data from a message first reads
 * whether its conversation is erased, and then writes only for a limited time. An erasure waits until this time is over for
 * every worker that may have read before the erasure, and then removes the derived data. So the order and the number of notices
 * do not matter, and a worker may be killed at any point.
 */

export type Fence = {
  /** A worker writes for this time after it has read. */
  writeMs: number;
  /** An erasure waits for longer than `writeMs`, because changes have times in whole seconds, and clocks differ. */
  waitMs: number;
};

export const fence: Fence = { writeMs: 4000, waitMs: 6000 };
