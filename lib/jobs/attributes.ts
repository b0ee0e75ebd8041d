/** The attributes of a stored job in which its runs keep their checkpoints. Several kinds of jobs use the same ones (types.ts). */

import type { EvaluationState } from './evaluation.ts';
import type { RefreshState } from './refresh.ts';
import type { ExpungeResult } from './results.ts';

export type Attributes = {
  /** A number of blocks, files or documents: where the next run continues. */
  blocks: number;
  /** The last item that is done. Empty before the first. */
  position: string;
  /** The number of steps that still compute vectors. Undefined before there are such steps. */
  encoding: number | undefined;
  /** The conversations that are erased, and may not be purged yet. A limited number. */
  erasing: readonly string[];
  tally: ExpungeResult | undefined;
  /** The size of the complete files. */
  exportedBytes: number;
  imported: { created: number; unchanged: number };
  refresh: RefreshState | undefined;
  evaluation: EvaluationState | undefined;
};

export type Attribute = keyof Attributes;

/** What a job begins with. */
export const initial: Attributes = {
  blocks: 0,
  position: '',
  encoding: undefined,
  erasing: [],
  tally: undefined,
  exportedBytes: 0,
  imported: { created: 0, unchanged: 0 },
  refresh: undefined,
  evaluation: undefined,
};
