/** The differences that the console shows, without a browser. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  contentOf,
  defaultChoice,
  mergedOf,
  rowsOf,
  updateBody,
  withValue,
} from '../../console/src/pages/avatars/content.ts';
import { avatarChanges } from '../../console/src/pages/deployments/avatar-changes.ts';
import { changesBetween, wordDifference } from '../../console/src/shared/difference.ts';

test('a difference of words has both texts in it', () => {
  const word = fc.constantFrom('a', 'b', 'c', ' ', '\n', 'ä', '😀', '.', 'e\u0301');
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = wordDifference(before, after);
      const without = (kind: string) =>
        pieces.flatMap((piece) => (piece.kind === kind ? [] : [piece.text])).join('');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
    }),
  );
});

test('a difference names the words that changed, and no others', () => {
  expect(wordDifference('You answer in one sentence.', 'You answer in two short sentences.')).toEqual([
    { kind: 'same', text: 'You answer in ' },
    { kind: 'removed', text: 'one sentence' },
    { kind: 'added', text: 'two short sentences' },
    { kind: 'same', text: '.' },
  ]);
  expect(wordDifference('Red is a warm colour.', 'Blue is a cold colour.')).toEqual([
    { kind: 'removed', text: 'Red' },
    { kind: 'added', text: 'Blue' },
    { kind: 'same', text: ' is a ' },
    { kind: 'removed', text: 'warm' },
    { kind: 'added', text: 'cold' },
    { kind: 'same', text: ' colour.' },
  ]);
  expect(wordDifference('same', 'same')).toEqual([{ kind: 'same', text: 'same' }]);
});

test('two long texts without a common word are one replacement', () => {
  const words = (start: string) => Array.from({ length: 900 }, (_, index) => start + index).join(' ');
  expect(wordDifference(words('a'), words('b')).length).toBe(2);
});

test('objects are compared field by field, also with names that every object inherits', () => {
  const before = { persona: { prompt: 'A', language: 'en' }, tags: ['x'], metadata: {} };
  const after = { persona: { prompt: 'B', language: 'en' }, tags: ['x'], metadata: { constructor: '1' } };
  expect(changesBetween(before, after)).toEqual([
    { path: ['persona', 'prompt'], before: 'A', after: 'B' },
    { path: ['metadata', 'constructor'], before: undefined, after: '1' },
  ]);
});

const ada = {
  name: 'Ada',
  externalId: null,
  persona: { prompt: 'You are Ada.', greeting: null, language: 'en' },
  voice: null,
  imageUrl: null,
  knowledgeTags: ['orders'],
  model: null,
  runtime: null,
  metadata: { team: 'blue', owner: 'Kim' },
};
const base = contentOf(ada);

test('only the changed fields are sent; a field that is missing in the JSON is sent as null', () => {
  const prompted = withValue(base, ['persona', 'prompt'], 'You are Ada Lovelace.');
  expect(updateBody(base, prompted)).toEqual({ persona: { prompt: 'You are Ada Lovelace.' } });
  expect(updateBody(base, withValue(base, ['metadata', 'team'], undefined))).toEqual({
    metadata: { owner: 'Kim' },
  });
  expect(updateBody(base, withValue(base, ['knowledgeTags'], undefined))).toEqual({ knowledgeTags: null });
  expect(updateBody(base, base)).toEqual({});
});

test('what only one side changed is kept; what both changed needs a choice', () => {
  const mine = withValue(withValue(base, ['name'], 'Mine'), ['metadata', 'team'], 'red');
  const theirs = withValue(withValue(base, ['name'], 'Theirs'), ['metadata', 'owner'], undefined);
  const rows = rowsOf(base, mine, theirs);
  expect(rows.map(({ path, by }) => [path.join('.'), by])).toEqual([
    ['name', 'both'],
    ['metadata.team', 'me'],
    ['metadata.owner', 'them'],
  ]);
  expect(rows.map(defaultChoice)).toEqual([undefined, 'mine', 'theirs']);
  const chosen = mergedOf(theirs, rows, (row) => (row.by === 'both' ? 'mine' : defaultChoice(row)));
  expect(chosen).toEqual({ ...base, name: 'Mine', metadata: { team: 'red' } });
});

test('the same change on both sides is no conflict', () => {
  const changed = withValue(base, ['voice'], { provider: 'elevenlabs', voiceId: '1' });
  expect(rowsOf(base, changed, changed)).toEqual([]);
});

test('deployments differ in added, changed and removed avatars', () => {
  const of = (...avatars: [string, number][]) => ({
    avatars: avatars.map(([avatarId, version]) => ({ avatarId, version })),
    knowledgeIndexVersion: null,
  });
  expect(avatarChanges(of(['a', 1], ['b', 1], ['c', 2]), of(['b', 3], ['c', 2], ['d', 1]))).toEqual([
    { avatarId: 'a', kind: 'removed', from: 1, to: null },
    { avatarId: 'b', kind: 'changed', from: 1, to: 3 },
    { avatarId: 'd', kind: 'added', from: null, to: 1 },
  ]);
});
