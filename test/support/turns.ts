/** Work that takes several turns. */

import { minuteMs } from '../../lib/base/time.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import type { TestApi } from '../../samples/api.ts';
import { deliverNotices, type recordingQueue } from '../../samples/lambda-queue.ts';

/** The ids of workers of which a turn has ended before their work. */
export type Ended = Set<string>;

type SentAgain = ReturnType<typeof recordingQueue>['sentAgain'];

const sentAgain = (error: unknown): SentAgain =>
  error instanceof Error && error.message === 'out of time' ? (error.cause as SentAgain) : [];

/** @throws the fault of the worker, or `out of time` if notices come again after a pause */
export async function deliverInTurns(
  runtime: TestApi['runtime'],
  worker: Worker,
  notices: readonly Notice[],
  ended: Ended = new Set(),
): Promise<void> {
  for (let [left, turns] = [notices, 0]; ; turns += 1) {
    try {
      return await deliverNotices(runtime, worker, left);
    } catch (error) {
      const again = sentAgain(error);
      if (again.length === 0 || again.some(({ seconds }) => seconds > 0) || turns === 5000) throw error;
      ended.add(worker.id);
      left = again.map(({ notice }) => notice);
    }
  }
}

/** Some notices come again after a short pause, or because their turn is over. */
export async function deliverUntilDone(
  api: Pick<TestApi, 'advance'>,
  ...given: Parameters<typeof deliverInTurns>
): Promise<void> {
  for (let pauses = 1; ; pauses += 1) {
    try {
      return await deliverInTurns(...given);
    } catch (error) {
      if (pauses === 10 || (error as Error).message !== 'out of time') throw error;
      api.advance(minuteMs);
    }
  }
}
