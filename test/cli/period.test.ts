/** Periods: which moments "yesterday" and others mean. */

import { expect, test } from 'vitest';
import { type PeriodOptions, periodFrom } from '../../cli/src/period.ts';

const now = Date.parse('2026-03-29T12:34:56.789Z');

test.each<[PeriodOptions, string | undefined, string | undefined]>([
  [{}, undefined, undefined],
  [{ from: 'yesterday' }, '2026-03-28T00:00:00.000Z', '2026-03-29T00:00:00.000Z'],
  [{ from: 'today' }, '2026-03-29T00:00:00.000Z', undefined],
  [{ from: '7d' }, '2026-03-22T00:00:00.000Z', undefined],
  [{ from: '7d', to: 'today' }, '2026-03-22T00:00:00.000Z', '2026-03-29T00:00:00.000Z'],
  [{ from: '2026-02-28' }, '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  [{ from: '2026-01-01', to: '2026-02-01' }, '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  [{ from: '2026-03-01T10:00:00+02:00' }, '2026-03-01T08:00:00.000Z', undefined],
  [{ to: 'now' }, undefined, '2026-03-29T12:34:56.789Z'],
  [{ from: '2h' }, '2026-03-29T10:34:56.789Z', undefined],
  [{ from: '90min', to: 'now' }, '2026-03-29T11:04:56.789Z', '2026-03-29T12:34:56.789Z'],
  [{ from: '02:20' }, '2026-03-29T02:20:00.000Z', undefined],
  // It is not so late yet.
  [{ from: '12:35' }, '2026-03-28T12:35:00.000Z', undefined],
  [{ from: '14:00', timeZone: 'Europe/Berlin' }, '2026-03-29T12:00:00.000Z', undefined],
  [{ from: '2026-03-01T10:00', timeZone: 'Europe/Berlin' }, '2026-03-01T09:00:00.000Z', undefined],
  [{ from: '2026-03-01 10:00:30' }, '2026-03-01T10:00:30.000Z', undefined],
  // The clocks go forward on the 29th: that day has 23 hours.
  [{ from: '2026-03-29', timeZone: 'Europe/Berlin' }, '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  [
    { from: 'yesterday', timeZone: 'Pacific/Auckland' },
    '2026-03-28T11:00:00.000Z',
    '2026-03-29T11:00:00.000Z',
  ],
])('%j is from %s until %s', (options, startedFrom, startedBefore) => {
  expect(periodFrom(options, now)).toEqual(
    startedFrom || startedBefore ? { startedFrom, startedBefore } : {},
  );
});

test.each<PeriodOptions>([
  { from: '2026-02-30' },
  { from: '2026-03-01T10:00:61' },
  { from: '24:00' },
  { from: 'last week' },
  { from: 'today', to: 'yesterday' },
  { from: 'yesterday', timeZone: 'Berlin' },
])('%j is refused', (options) => {
  expect(() => periodFrom(options, now)).toThrow();
});
