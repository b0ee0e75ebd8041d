/** Canonical JSON, for any value. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../lib/base/canonical-json.ts';

describe('canonical JSON', () => {
  /** The same value with the members of every object in another order. */
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  };

  test('does not depend on the order of fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value = JSON.parse(json);
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
