/** Work that takes several turns. */

import { minuteMs, secondMs } from '../../lib/base/time.ts';
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

/**
 * Each turn ends after its first piece, and every second one is killed before, at another call each time, before or after the
 * call takes effect. A killed turn's notices come again as they were.
 * @returns the number of turns
 * @throws the fault of the worker
 */
export async function deliverKilled(
  { runtime, advance }: Pick<TestApi, 'runtime' | 'advance'>,
  life: { callsLeft: number; afterwards: boolean },
  worker: Worker,
  notices: readonly Notice[],
): Promise<number> {
  let left = notices;
  for (let turns = 1; ; turns += 1) {
    const callsLeft = turns % 2 === 1 ? 2 + ((turns * 7) % 29) : Number.POSITIVE_INFINITY;
    Object.assign(life, { callsLeft, afterwards: turns % 4 === 1 });
    try {
      await deliverNotices({ ...runtime, turnMs: 0 }, worker, left);
      life.callsLeft = Number.POSITIVE_INFINITY;
      return turns;
    } catch (error) {
      const isKilled = life.callsLeft <= 0;
      const again = sentAgain(error);
      if (turns === 5000 || (!isKilled && again.length === 0)) throw error;
      if (again.length > 0) left = again.map(({ notice }) => notice);
      advance(Math.max(0, ...again.map(({ seconds }) => seconds * secondMs)));
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
