/** Until when the present step of a rollout is held. */

import { expect, test } from 'vitest';
import { timestamp } from '../../../lib/base/time.ts';
import { holdUntil } from '../../../lib/rollouts/show.ts';

const at = (minutes: number) => timestamp(minutes * 60_000);
const hold = { since: at(0), ms: 60 * 60_000 };

test('a hold ends after its time', () => {
  expect(holdUntil({ hold })).toBe(at(60));
  expect(holdUntil({})).toBeNull();
});

test('the time of a suspension does not count', () => {
  expect(holdUntil({ hold }, { suspensions: [{ from: at(30), until: at(90) }] })).toBe(at(120));
  // It ended before the hold began.
  expect(holdUntil({ hold }, { suspensions: [{ from: at(-90), until: at(-30) }] })).toBe(at(60));
});

test('a suspension that has not ended leaves the end open, unless the hold is over', () => {
  expect(holdUntil({ hold }, { suspendedAt: at(30) })).toBeNull();
  expect(holdUntil({ hold }, { suspendedAt: at(61) })).toBe(at(60));
});
