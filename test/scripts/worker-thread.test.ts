/** Which workers of the dev server have threads of their own, and what their queues do. */

import { expect, test } from 'vitest';
import { hasOwnThread } from '../../scripts/local/worker-thread.ts';
import { workers } from '../../workers/index.ts';

test('a worker whose pieces take long has a thread of its own, and short work has none', () => {
  // A new worker here needs more memory than others, and so probably more time without a pause.
  expect(workers.filter(hasOwnThread).map(({ id }) => id)).toEqual([
    'conversation-evaluator',
    'evaluation-runner',
    'exporter',
    'importer',
    'knowledge-extractor',
    'knowledge-indexer',
    'source-refresher',
  ]);
});
