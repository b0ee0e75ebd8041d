/** The faults that the API has logged during a test. A response has no cause of a 500, so a failing test prints them. */

import type { FaultLine } from '../lib/base/log.ts';

/** The setup of each file empties the list after each test. */
const logged: FaultLine[] = [];

export function noteFault(line: FaultLine): void {
  logged.push(line);
}

/** @returns the faults since the last call */
export const takeFaults = (): FaultLine[] => logged.splice(0);
