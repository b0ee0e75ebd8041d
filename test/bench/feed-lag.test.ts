/** The search and webhooks of the dev server are at most seconds late while a client makes changes as fast as it can. */

import { expect, test } from 'vitest';
import { budgets } from '../../bench/budgets.ts';
import { measureLags } from '../../bench/feed-lag.ts';

/** A part of what the benchmark makes. */
const changes = 1500;

test('background work on the dev server is not later than its budget', { tags: ['nightly'] }, async () => {
  const { during, after } = await measureLags(changes, 1);
  const lags = [...during, ...after].flatMap(({ found, sent }) => [found, sent]);
  expect(lags.length).toBeGreaterThan(2);
  expect(Math.max(...lags)).toBeLessThanOrEqual(budgets.feedLagMs);
});
