import { expect, test } from 'vitest';
import { loadIndex } from '../../../../../lib/search/index/algorithms.ts';
import { buildIndex } from '../../../../../lib/search/index/builder.ts';

type Pieces = Record<string, readonly string[]>;

/** @param documents the pieces of each document, by its title */
function indexOf(documents: Pieces) {
  const builder = buildIndex();
  for (const [title, texts] of Object.entries(documents)) {
    const chunks = texts.map((text) => ({ heading: '', text }));
    builder.add({ id: title, title, tags: [title], chunks }, 0);
  }
  const index = loadIndex(Buffer.from([...builder.serialise()].join('')));
  return (query: string, perDocument?: number, tag?: string) =>
    index
      .search(query, { tags: tag === undefined ? undefined : [tag] }, { pieces: 50, perDocument })
      .hits.map(({ document }) => document.id);
}

const others: Pieces = Object.fromEntries(
  ['apples', 'bread', 'cheese', 'dates', 'eggs'].map((food) => [food, [`The shop sells ${food} in a box.`]]),
);

test('a piece with all words is before a title with one', () => {
  const search = indexOf({
    ...others,
    Refund: ['See the other page.'],
    Other: ['A refund of a gift card is paid to the card.'],
  });
  expect(search('refund of a gift card')[0]).toBe('Other');
});

test('an identifier is found as a whole and by its parts', () => {
  const search = indexOf({
    ...others,
    whole: ['Set journal_mode once.'],
    parts: ['A mode of the journal, or a journal of the mode.', 'The journal has a mode.'],
    version: ['Since version 3.11 it is faster.'],
    number: ['It has 311 pages.'],
    mail: ['Send an e-mail.'],
  });
  expect(search('journal_mode')[0]).toBe('whole');
  expect(search('journal')).toContain('whole');
  expect(search('journalmode')).toEqual(['whole']);
  expect(search('3.11')).toEqual(['version']);
  expect(search('email')).toEqual(['mail']);
});

test('a misspelt word is corrected beside a correct one', () => {
  const search = indexOf({
    ...others,
    right: ['The constraint of a foreign key.'],
    half: ['The key of a door.'],
  });
  expect(search('foriegn key')[0]).toBe('right');
  expect(search('constrant')).toEqual(['right']);
});

test('a word finds its other forms', () => {
  const search = indexOf({
    ...others,
    noun: ['An aggregation of rows.'],
    german: ['Die Rechnung kommt per Post.'],
    joined: ['The command line has options.'],
  });
  expect(search('aggregating')).toEqual(['noun']);
  expect(search('Rechnungen')).toEqual(['german']);
  expect(search('commandline')).toEqual(['joined']);
  expect(search('comm')).toEqual(['joined']);
});

test('a piece that has only stop words of the question is no match', () => {
  const search = indexOf({ ...others, mine: ['This is my box.'], who: ['Who is who'] });
  expect(search('my gadget is humming')).toEqual([]);
  expect(search('is my box empty')).toContain('mine');
  // A question of stop words only is about these words.
  expect(search('who is who')[0]).toBe('who');
});

test('a document has at most as many pieces as the limit says, the best', () => {
  const search = indexOf({
    long: ['zebra', 'zebra zebra', 'zebra and more', 'zebra or less', 'none'],
    short: ['One zebra among many other animals of this zoo.'],
  });
  expect(search('zebra', 2)).toEqual(['long', 'long', 'short']);
  expect(search('zebra', 3).filter((id) => id === 'long')).toHaveLength(3);
  expect(search('zebra')).toHaveLength(5);
  expect(search('zebra', 2, 'short')).toEqual(['short']);
});

test('an empty index finds nothing', () => {
  expect(indexOf({})('anything')).toEqual([]);
});
