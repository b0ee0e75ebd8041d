/** Scopes, for any pair. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allScopes, holds, missingScopes, namedLack, type Scope } from '../../../lib/base/scopes.ts';

describe('scopes', () => {
  test('write includes read; nothing else includes another scope', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allScopes), fc.constantFrom(...allScopes), (held, wanted) => {
        const includes =
          held === wanted || (wanted.endsWith(':read') && held === wanted.replace('read', 'write'));
        expect(holds([held], wanted)).toBe(includes);
      }),
    );
  });

  const some = fc.uniqueArray(fc.constantFrom(...allScopes), { maxLength: 6 });
  const set = fc
    .tuple(fc.constantFrom(...allScopes), some)
    .map(([first, others]): [Scope, ...Scope[]] => [first, ...others.filter((one) => one !== first)]);
  const sets = fc.array(set, { minLength: 1, maxLength: 4 });

  test('one of several sets is enough, and needs each of its scopes', () => {
    fc.assert(
      fc.property(some, sets, (held, required) => {
        const isHeld = required.some((one) => one.every((scope) => holds(held, scope)));
        expect(holds(held, required)).toBe(isHeld);
      }),
    );
  });

  test('with what is named as missing from one set, that set is held', () => {
    fc.assert(
      fc.property(some, sets, (held, required) => {
        fc.pre(!holds(held, required));
        const fewest = Math.min(...required.map((one) => missingScopes(held, one).length));
        for (const named of namedLack(held, required).split(' or ')) {
          const missing = named.replace(/^the scopes? /, '').split(', ');
          expect(missing).toHaveLength(fewest);
          expect(holds([...held, ...missing], required)).toBe(true);
        }
      }),
    );
  });
});
