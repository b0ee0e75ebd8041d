/** Scopes, for any pair. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allScopes, holds } from '../../../lib/base/scopes.ts';

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
});
