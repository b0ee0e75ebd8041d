/** The ranking of search, measured with the judged queries. docs/performance.md has the figures. */

import { expect, test } from 'vitest';
import { keptAside, quality, rankerOf, readmes, tuned } from '../../bench/ranking.ts';

test('the quality measures are calculated correctly', () => {
  const gradings = { right: ['a', 'b', 'c'], late: ['x', 'a'], wrong: ['x'] };
  const judged = [{ query: 'any', answers: { a: 2, b: 1 } }];
  const measured = Object.values(gradings).map((found) => quality(() => found, judged));
  expect(measured.map(({ recall5 }) => recall5)).toEqual([1, 0.5, 0]);
  // The best is 3/1 + 1/log2(3); the late one has 3/log2(3).
  const best = 3 + 1 / Math.log2(3);
  expect(measured[0]?.ndcg10).toBeCloseTo(1, 9);
  expect(measured[1]?.ndcg10).toBeCloseTo(3 / Math.log2(3) / best, 9);
  expect(measured[2]?.ndcg10).toBe(0);
});

test('every judged answer is in the collection', () => {
  const ids = new Set(readmes().map(({ id }) => id));
  const answers = [...tuned, ...keptAside].flatMap((judged) => Object.keys(judged.answers));
  expect(answers.filter((id) => !ids.has(id))).toEqual([]);
});

test('search finds the answers and ranks them first', () => {
  const { ndcg10, recall5 } = quality(rankerOf(readmes()), [...tuned, ...keptAside]);
  expect(ndcg10).toBeGreaterThan(0.76);
  expect(recall5).toBeGreaterThan(0.82);
});
