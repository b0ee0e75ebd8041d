/** The tokens of the model. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modelFolder } from '../../../../lib/search/semantic/encoder.ts';
import { createTokenizer, maxTokens } from '../../../../lib/search/semantic/word-pieces.ts';
import { tokenHashes } from '../../../support/tokenizer-texts.ts';
import { worstTexts } from '../../../support/worst-texts.ts';
import reference from './word-pieces.json' with { type: 'json' };

const vocabulary = readFileSync(`${modelFolder}/vocab.txt`, 'utf8');
const tokens = vocabulary.split('\n');
const tokensOf = createTokenizer(vocabulary);
const shown = (text: string) => tokensOf(text).ids.map((id) => tokens[id]);

// The hashes are the reference's (test/support/tokenizer_reference.py). 100 000 of these texts gave the same tokens, too.
test.each(Object.entries(tokenHashes(40)))('texts in %s have the tokens of the reference', (script, hash) => {
  expect(hash).toBe((reference as Record<string, string>)[script]);
});

test('words are split into the longest known pieces', () => {
  expect(shown('Refunds: naïve embeddings of journal_mode').join(' ')).toBe(
    '[CLS] ref ##unds : naive em ##bed ##ding ##s of journal _ mode [SEP]',
  );
});

test('a marker in a text is text', () => {
  expect(shown('[SEP]')).toEqual(['[CLS]', '[', 'sep', ']', '[SEP]']);
});

test('a word that the vocabulary cannot spell is counted', () => {
  expect(tokensOf('𓀀 a 𓀁')).toMatchObject({ unknown: 2 });
  expect(tokensOf('x'.repeat(100)).unknown).toBe(0);
  expect(tokensOf('x'.repeat(101)).unknown).toBe(1);
});

test.each(Object.entries(worstTexts(5_000_000)))('five megabytes of %s have few tokens', (_, text) => {
  expect(tokensOf(text).ids.length).toBeLessThanOrEqual(maxTokens);
});

test('nothing behind the first 10 000 characters is read', () => {
  expect(shown(`${' '.repeat(9_990)}word word`)).toEqual(['[CLS]', 'word', 'word', '[SEP]']);
  expect(shown(`${' '.repeat(10_000)}word`)).toEqual(['[CLS]', '[SEP]']);
});
