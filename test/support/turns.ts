/** Work that takes several turns. */

import { minuteMs } from '../../lib/base/time.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import type { TestApi } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';

/** The ids of workers of which a turn has ended before their work. */
export type Ended = Set<string>;

/** Some notices come again after a short pause, or because their turn is over. */
export async function deliverUntilDone(
  api: Pick<TestApi, 'advance'>,
  runtime: TestApi['runtime'],
  worker: Worker,
  notices: readonly Notice[],
  ended: Ended = new Set(),
): Promise<void> {
  for (let pauses = 0, turns = 0; ; ) {
    try {
      return await deliverNotices(runtime, worker, notices);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'out of time' || pauses === 10 || turns === 5000)
        throw error;
      if (error.cause === 0) {
        turns += 1;
        ended.add(worker.id);
      } else {
        pauses += 1;
        api.advance(minuteMs);
      }
    }
  }
}
