/** No tenant takes the turn of another tenant: a quiet tenant soon has a place in each worker, by the declarations of the workers. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placesTable, simulatePlaces } from '../../measures/places.ts';
import { replaceMarked } from '../../scripts/shared/markdown.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';

const maxSeconds = 15;
const load = { isFair: true, busyTenants: 1, quietTenants: 1000 };

test.each(workers)('$id has a place for a quiet tenant, beside work that never ends', (worker) => {
  const { p99Seconds } = simulatePlaces(worker, load);
  expect(p99Seconds).toBeLessThan(maxSeconds);
});

test('one tenant leaves half of the places for long pieces free, and two do not', () => {
  const longPiece = { maxSeconds: 160, from: 'start' } as const;
  const wait = (busyTenants: number) =>
    simulatePlaces({ ends: 'whole', maxConcurrency: 10, longPiece }, { ...load, busyTenants }).p99Seconds;
  expect(wait(1)).toBe(0);
  expect(wait(2)).toBeGreaterThan(maxSeconds);
});

describe('with ten places and turns', () => {
  const worker = { ends: 'turn', maxConcurrency: 10 } as const;
  const wait = (isFair: boolean, busyTenants: number, maxConcurrency = 10) =>
    simulatePlaces({ ...worker, maxConcurrency }, { ...load, isFair, busyTenants }).p99Seconds;

  test('a free place is given at once', () => {
    expect(wait(true, 0)).toBe(0);
  });

  test('the wait grows with the busy tenants in a fair queue, and with their notices without fairness', () => {
    expect(wait(true, 100)).toBeLessThan(15 * wait(true, 10));
    expect(wait(false, 10)).toBeGreaterThan(10 * wait(true, 10));
  });

  test('three times as many places are a third of the wait', () => {
    for (const isFair of [true, false]) expect(wait(isFair, 100, 30)).toBeLessThan(wait(isFair, 100) / 2.5);
  });

  test('a busy tenant loses as many turns as the others need', () => {
    const turns = (quietTenants: number) => simulatePlaces(worker, { ...load, quietTenants }).busyTurns;
    expect(turns(0) - turns(1000)).toBeLessThan(0.03 * turns(0));
    expect(turns(0) - turns(1000)).toBeGreaterThan(0);
  });
});

test('docs/capacity.md has the figures', () => {
  const text = readFileSync(resolve(root, 'docs/capacity.md'), 'utf8');
  expect(text).toBe(replaceMarked(text, 'places', placesTable()));
});
