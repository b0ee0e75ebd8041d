/** Where the lines of an export come from. */

import type { StoredProject } from '../../projects/store.ts';

export type Line = {
  /** The id of the conversation, document or event. */
  id: string;
  /** JSON, without the line end. At most a few megabytes. */
  text: string;
  /** Whether the record begins with this line. A long conversation has several. */
  isFirst: boolean;
  /** Where an export continues that has this line. */
  position: string;
  /** When the record expires: epoch milliseconds. */
  expiresAtMs?: number;
};

export type Source = {
  /** @returns the lines after this position; from the beginning if it is empty */
  lines(after: string): AsyncGenerator<Line>;
  /**
   * @param ids the lowest id of a part, the highest, and all of them
   * @returns whether one of the records must not be in a file any more
   */
  hasGone(
    ids: { first: string; last: string; all: ReadonlySet<string> },
    project: StoredProject,
  ): Promise<boolean>;
};
