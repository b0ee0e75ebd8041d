/** The log of the local service. */

import type { LogLine } from '../../lib/base/log.ts';

/** Logs a request or work in one short line, and a fault in full. */
export function logForPeople(line: LogLine): void {
  if ('fault' in line) console.error(line.message, line.fault);
  else if ('worker' in line)
    console.log(`${line.failed ? 'failed' : 'done'} ${line.worker} ${line.item} ${line.durationMs} ms`);
  else console.log(`${line.status} ${line.endpoint} ${line.error ?? ''} ${line.durationMs.toFixed(0)} ms`);
}
