/** Takes the markers of citations out of an answer while it arrives. */

import type { Cited } from './types.ts';

export type Markers = {
  /** @returns the text that may be written. All returned texts together are the stored text */
  push(text: string): string;
  /** @returns the rest of the stored text */
  end(): string;
  /** The citations so far, in order. A passage may be cited several times. */
  readonly cited: readonly Cited[];
  /** So many numbers of no passage were removed. */
  readonly removed: number;
};

export function openMarkers(_passageCount: number): Markers {
  throw new Error('not written yet');
}
