/** The benchmark of neighbours has each worker. */

import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { neighbours } from '../../bench/neighbour-loads.ts';
import { entriesOf } from '../../bench/neighbours.ts';
import { workers } from '../../workers/index.ts';

test('each worker has an entry, and only these workers are left out', () => {
  const { measured, leftOut } = entriesOf(workers);
  expect(measured.length + leftOut.length).toBe(workers.length);
  expect(Object.keys(neighbours).toSorted()).toEqual(workers.map(({ id }) => id).toSorted());
  expect(leftOut.map(({ worker }) => worker.id)).toEqual([
    'conversation-sweeper',
    'environment-remover',
    'organisation-resumer',
    'project-purger',
    'retention-rewriter',
    'rollout-mover',
  ]);
  for (const { instead } of leftOut) expect(existsSync(instead), instead).toBe(true);
});

test('a worker without an entry fails', () => {
  const [first] = workers;
  const another = first ? [{ ...first, id: 'another' }] : [];
  expect(() => entriesOf(another)).toThrow('bench/neighbour-loads.ts has nothing for another');
});
