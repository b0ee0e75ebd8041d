import { describe, expect, test } from 'vitest';
import { firstIdAt, lastIdAt } from '../../../lib/base/ids.ts';
import { withDiscreetNext } from '../../../lib/base/pages.ts';

const atMs = Date.UTC(2026, 2, 1);
const ids = (ms: number, ...ends: string[]) =>
  ends.map((end) => `${firstIdAt('conversation', ms).slice(0, -1)}${end}`);
const [first = '', second = '', third = ''] = ids(atMs, '1', '2', '3');
const [later = ''] = ids(atMs + 1, '1');
const [earlier = ''] = ids(atMs - 1, '1');
const next = (
  order: 'newest' | 'oldest',
  read: string,
  { returned, after }: { returned?: string; after?: string } = {},
) =>
  withDiscreetNext(
    'conversation',
    { items: returned ? [{ id: returned }] : [], next: read },
    { order, after },
  ).next;

describe('the position behind an item that is left out', () => {
  test('is the edge of its millisecond', () => {
    expect(next('newest', second)).toBe(lastIdAt('conversation', atMs));
    expect(next('oldest', second)).toBe(firstIdAt('conversation', atMs));
    expect(next('newest', second, { returned: later, after: later })).toBe(lastIdAt('conversation', atMs));
    expect(next('oldest', second, { returned: earlier, after: earlier })).toBe(
      firstIdAt('conversation', atMs),
    );
  });

  test('is the last returned item, if that is of the same millisecond', () => {
    expect(next('newest', second, { returned: third })).toBe(third);
    expect(next('oldest', second, { returned: first })).toBe(first);
    expect(next('newest', second, { returned: second })).toBe(second);
  });

  test('goes on even if a millisecond has more items than a page reads', () => {
    expect(next('newest', second, { after: third })).toBe(second);
    expect(next('oldest', second, { after: first })).toBe(second);
    expect(next('newest', second, { after: lastIdAt('conversation', atMs) })).toBe(second);
  });
});
