/** What is searched for a question. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxQueryLength, searchQuery } from '../../../../lib/replies/request/search-query.ts';
import { hasTerm } from '../../../../lib/text/terms.ts';

test.each<[string, string[], string | undefined]>([
  ['How do I send shoes back to you?', ['Do you sell hats?'], 'How do I send shoes back to you?'],
  ['And abroad?', ['Can I send shoes back?'], 'And abroad? Can I send shoes back?'],
  [
    'How much?',
    ['Do you sell hats?', 'Can I send shoes back?', 'And abroad?'],
    'How much? And abroad? Can I send shoes back?',
  ],
  ['Why?', ['a', 'b', 'c', 'd'], 'Why? d c b'],
  ['Where is "my order"?', [], 'Where is my order ?'],
  [' two\n\nlines ', [], 'two lines'],
  ['?!', ['Can I send shoes back?'], '?! Can I send shoes back?'],
  ['?!', [], undefined],
  ['', [], undefined],
])('%j after %j', (question, earlier, query) => {
  expect(searchQuery(question, earlier)).toBe(query);
});

test('a long text keeps whole words of its beginning and of its end', () => {
  const query = searchQuery(`Refund please. ${'filler '.repeat(2000)} When will it arrive?`, ['Hats?']) ?? '';
  expect(query.length).toBeLessThanOrEqual(maxQueryLength);
  expect(query).toMatch(/^Refund please\. filler .* filler When will it arrive\?$/);
  expect(query).not.toContain('Hats');
});

test('any texts make a query that a search accepts, or none', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 700 });
  fc.assert(
    fc.property(texts, fc.array(texts, { maxLength: 4 }), (question, earlier) => {
      const query = searchQuery(question, earlier);
      if (query === undefined) return;
      expect(query.length).toBeLessThanOrEqual(maxQueryLength);
      expect(query.isWellFormed()).toBe(true);
      expect(hasTerm(query)).toBe(true);
    }),
  );
});
