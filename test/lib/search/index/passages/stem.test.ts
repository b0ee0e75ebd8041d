import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stemOf } from '../../../../../lib/search/index/passages/stem.ts';

/** From the paper and the published vocabulary of its author. */
const stems = {
  caresses: 'caress',
  ponies: 'poni',
  cats: 'cat',
  agreed: 'agre',
  feed: 'feed',
  plastered: 'plaster',
  bled: 'bled',
  motoring: 'motor',
  sing: 'sing',
  conflated: 'conflat',
  troubled: 'troubl',
  sized: 'size',
  hopping: 'hop',
  falling: 'fall',
  hissing: 'hiss',
  filing: 'file',
  happy: 'happi',
  sky: 'sky',
  relational: 'relat',
  conditional: 'condit',
  digitizer: 'digit',
  vietnamization: 'vietnam',
  hopefulness: 'hope',
  sensibility: 'sensibl',
  triplicate: 'triplic',
  electrical: 'electr',
  goodness: 'good',
  allowance: 'allow',
  adjustable: 'adjust',
  replacement: 'replac',
  adoption: 'adopt',
  probate: 'probat',
  rate: 'rate',
  cease: 'ceas',
  controlling: 'control',
  roll: 'roll',
  generalizations: 'gener',
  oscillators: 'oscil',
};

test('the stems are those of the paper', () => {
  expect(Object.fromEntries(Object.keys(stems).map((word) => [word, stemOf(word)]))).toEqual(stems);
});

test('a stem is at most as long as its word, and other terms stay as they are', () => {
  const unit = fc.constantFrom(...'aeiyslnotd', 'ing', 'ed', 'ation');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (word) => {
      expect(stemOf(word).length).toBeLessThanOrEqual(word.length);
    }),
  );
  for (const term of ['h2o', 'is', '返品', 'écrire', '3.11']) expect(stemOf(term)).toBe(term);
});
