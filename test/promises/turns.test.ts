/**
 * No tenant takes the turn of another tenant: the place of a notice becomes free in time, whatever a caller has stored. Every worker
 * declares how (`ends` in lib/workers/worker.ts).
 */

import { beforeAll, describe, expect, test } from 'vitest';
import { workers } from '../../workers/index.ts';
import { tellStory } from '../support/story.ts';

const inTurns = workers.filter(({ ends }) => ends === 'turn').map(({ id }) => id);

/** Their turns end after more work than the story has. */
const endElsewhere = new Map([['conversation-evaluator', 'test/lib/evaluations/runs/slow.test.ts']]);

test('a killed turn comes again after some minutes', () => {
  const minutes = new Map(workers.map(({ id, timeoutSeconds }) => [id, timeoutSeconds / 60]));
  expect(inTurns.filter((id) => (minutes.get(id) ?? 0) > 4)).toEqual([]);
});

test('these workers do not store all of their positions yet: their notices keep a place for up to 15 minutes', () => {
  expect(workers.filter(({ ends }) => ends === 'run').map(({ id }) => id)).toEqual([
    'key-limiter',
    'key-revoker',
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
