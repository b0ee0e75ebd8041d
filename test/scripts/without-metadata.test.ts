/** What the bundler leaves out of schemas. */

import { describe, expect, test } from 'vitest';
import { removeMetadata } from '../../scripts/bundle/without-metadata.ts';

const without = (code: string) => removeMetadata(code, 'schema.ts');

describe('the metadata of schemas', () => {
  test.each([
    ["z.string().meta({ description: 'A (name).' }).optional()", 'z.string().optional()'],
    ["z.object({ a: b.meta({ id: 'A' }) }).meta({ id: 'B' })", 'z.object({ a: b })'],
    ["(a ? b : c).meta({ example: '})' })", '(a ? b : c)'],
    ['const of = (d) => z.int().meta({ ...d });', 'const of = (d) => z.int();'],
    ['a.meta({ as: b.meta({ c }) }); d.meta({ e })', 'a; d'],
    ['a\n  // Why.\n  .meta({ b })\n  .c()', 'a\n  // Why.\n  \n  .c()'],
  ])('%j becomes %j', (code, left) => expect(without(code)).toBe(left));

  test.each(["'.meta({ a })'", 'import.meta.dirname', 'meta({ a })', 'a.metadata({ b })'])(
    '%s stays',
    (code) => expect(without(code)).toBe(code),
  );

  test.each(['a.meta()', 'a.meta(b)', 'a.meta(b())', 'a.meta({}, b)'])(
    '%s is refused: it could do more',
    (code) => expect(() => without(code)).toThrow('schema.ts: .meta() needs an object literal'),
  );
});
