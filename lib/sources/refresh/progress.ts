/** What the parts of a refresh share. */

import type { FileHint } from '../../extraction/file-type.ts';
import type { RefreshCounts, RefreshState } from '../../jobs/refresh.ts';
import { advance, type JobRun } from '../../jobs/run.ts';
import type { ExtractedText } from '../../readers/types.ts';
import type { DocumentReader } from '../../search/pieces/document-reader.ts';
import { endTurn } from '../../workers/turn.ts';
import type { Write } from '../../workers/worker.ts';
import type { StoredSource } from '../store/sources.ts';
import type { Hosts } from './hosts.ts';

/** Reads a file in a process with limits. */
export type Extract = (file: Uint8Array, hint: FileHint) => Promise<ExtractedText>;

export type RefreshRun = JobRun<'knowledge.refresh'> & {
  /** The source as it was when the step began. */
  source: StoredSource;
  /** The state as it is stored. */
  state: RefreshState;
  hosts: Hosts;
  reader: Pick<DocumentReader, 'page' | 'close'>;
  extract: Extract;
  /** The ids of pages that this refresh is known to have found: at most `maxPages`, and the excluded pages. */
  pageIds: Set<string>;
};

/**
 * Commits writes and the progress that they make.
 * @returns whether they were written: false if the condition of another write does not hold
 * @throws JobLost, Suspended
 */
export async function save(
  run: RefreshRun,
  state: RefreshState,
  writes: readonly Write[] = [],
): Promise<boolean> {
  const { pages, failedPages } = state.counts;
  const progress = { total: pages, done: Math.min(state.done, pages), failed: failedPages };
  if (!(await advance(run, { refresh: state, progress, attempts: 0 }, writes))) return false;
  run.state = state;
  return true;
}

/** Ends the turn if it is over. The next turn goes on at `state`. @throws TurnOver */
export const checkState = (run: RefreshRun, state: RefreshState): Promise<void> =>
  endTurn(run.input, () => save(run, state));

type NumberOf<Counts> = {
  [Name in keyof Counts]-?: Counts[Name] extends number | undefined ? Name : never;
}[keyof Counts];

/** @returns the state in which each of these counts is one higher */
export function addCounts(state: RefreshState, ...names: readonly NumberOf<RefreshCounts>[]): RefreshState {
  const counts = { ...state.counts };
  // A refresh that began before a count existed has none.
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return { ...state, counts };
}

export const pageDone = (state: RefreshState, ...names: readonly NumberOf<RefreshCounts>[]): RefreshState => {
  const after = addCounts(state, ...names);
  return { ...after, done: after.done + 1 };
};
