import type { ExtractionCode } from '../../lib/readers/types.ts';

/** A file that tries to take too much time or memory, or is not what it seems. */
export type HostileFile = {
  name: string;
  make(): Uint8Array;
  /** How the extraction may end. Limits of time and memory may end it earlier on a slow machine. */
  ends: readonly ('done' | ExtractionCode)[];
  /** It takes seconds. */
  isSlow?: true;
};
