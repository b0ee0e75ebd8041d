/** Cursors, for any list and any text. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newIdFactory } from '../../../lib/base/ids.ts';
import { decodeCursor, encodeCursor } from '../../../lib/http/cursor.ts';

const newId = newIdFactory(Math.random);

describe('cursors', () => {
  const list = fc.array(fc.string(), { maxLength: 3 });
  const position = fc.integer({ min: 1 }).map((ms) => newId('project', ms));

  test('return their position to their own list', () => {
    fc.assert(
      fc.property(position, list, (at, of) => void expect(decodeCursor(encodeCursor(at, of), of)).toBe(at)),
    );
  });

  test('are invalid for another list', () => {
    fc.assert(
      fc.property(position, list, list, (at, of, other) => {
        fc.pre(JSON.stringify(of) !== JSON.stringify(other));
        expect(decodeCursor(encodeCursor(at, of), other)).toBeUndefined();
      }),
    );
  });

  test('are invalid if changed or made up', () => {
    fc.assert(
      fc.property(
        position,
        list,
        fc.nat(62),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, of, n, character) => {
          const cursor = encodeCursor(at, of);
          const changed = cursor.slice(0, n) + character + cursor.slice(n + 1);
          fc.pre(changed !== cursor);
          expect(decodeCursor(changed, of)).toBeUndefined();
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), list, (text, of) => void expect(decodeCursor(text, of)).toBeUndefined()),
    );
  });
});
