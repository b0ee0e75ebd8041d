/**
 * No tenant takes the turn of another tenant: the place of a notice becomes free in time, whatever a caller has stored. Every worker
 * declares how (`ends` in lib/workers/worker.ts).
 */

import { beforeAll, describe, expect, test } from 'vitest';
import type { Worker } from '../../lib/workers/worker.ts';
import { workers } from '../../workers/index.ts';
import { tellStory } from '../support/story.ts';

const inTurns = workers.filter(({ ends }) => ends === 'turn').map(({ id }) => id);

/** Their turns end after more work than the story has. */
const endElsewhere = new Map([['conversation-evaluator', 'test/lib/evaluations/runs/slow.test.ts']]);

test('a killed turn comes again after some minutes', () => {
  const minutes = new Map(workers.map(({ id, timeoutSeconds }) => [id, timeoutSeconds / 60]));
  expect(inTurns.filter((id) => (minutes.get(id) ?? 0) > 4)).toEqual([]);
});

/** @returns why notices of the worker may keep the places of other organisations for longer than they should */
function faultsOf({ ends, longPiece, batchSize, maxConcurrency, timeoutSeconds }: Worker): string[] {
  const limits: Record<string, boolean> = {
    'a whole piece has a declared maximum': ends !== 'whole' || longPiece !== undefined,
    'a long piece has an invocation of its own':
      !longPiece || batchSize === 1 || longPiece.from === 'takePlace',
    'a long piece ends before its function does': (longPiece?.maxSeconds ?? 0) < timeoutSeconds,
    'two organisations can have places at the same time': !longPiece || maxConcurrency >= 2,
    'short work has at most five minutes': ends !== 'short' || timeoutSeconds <= 300,
  };
  return Object.keys(limits).filter((limit) => !limits[limit]);
}

test.each(workers.map((worker) => [worker.id, worker] as const))(
  '%s declares how long it keeps a place',
  (_, worker) => {
    expect(faultsOf(worker)).toEqual([]);
  },
);

test('a worker that holds its place is found', () => {
  const extractor = workers.find(({ id }) => id === 'knowledge-extractor');
  if (!extractor) throw new Error('there is no extractor');
  const { longPiece, ...others } = extractor;
  expect(longPiece).toBeDefined();
  expect(faultsOf(others)).toEqual(['a whole piece has a declared maximum']);
  expect(faultsOf({ ...extractor, batchSize: 10 })).toEqual(['a long piece has an invocation of its own']);
  expect(faultsOf({ ...extractor, timeoutSeconds: 60 })).toEqual([
    'a long piece ends before its function does',
  ]);
  expect(faultsOf({ ...others, ends: 'short', timeoutSeconds: 900 })).toEqual([
    'short work has at most five minutes',
  ]);
});

describe('with turns that end after each piece, the story ends as with long turns', {
  tags: ['long'],
}, () => {
  let ended: ReadonlySet<string>;

  beforeAll(async () => {
    ({ ended } = await tellStory(() => ({ turnMs: 0 })));
  });

  test.each(inTurns.filter((id) => !endElsewhere.has(id)))('%s ends turns before its work', (id) => {
    expect(ended).toContain(id);
  });
});
