/** The languages that the model speaks. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentsOf } from '../../../../bench/ranking/corpora.ts';
import { textsOf } from '../../../../bench/ranking/rankers.ts';
import { modelFolder } from '../../../../lib/search/semantic/encoder.ts';
import { isSpoken } from '../../../../lib/search/semantic/languages.ts';
import { createTokenizer } from '../../../../lib/search/semantic/word-pieces.ts';

const tokensOf = createTokenizer(readFileSync(`${modelFolder}/vocab.txt`, 'utf8'));
const speaks = (text: string) => isSpoken(text, tokensOf(text));

test.each([
  'how do I get my money back',
  'refund',
  'journal_mode',
  'os.path.join',
  'opening hours of the café',
  'const table = new dynamodb.Table(this);',
  'https://example.com',
  // Its words could be of any language.
  'docker-compose',
])('speaks "%s"', (text) => {
  expect(speaks(text)).toBe(true);
});

test.each([
  'Wie bekomme ich mein Geld zurück?',
  'Das Konto wird nach 14 Tagen gelöscht.',
  'comment supprimer un fichier',
  '¿cómo borro mi cuenta?',
  'как вернуть деньги',
  'πώς παίρνω πίσω τα χρήματα',
  'איך מקבלים החזר',
  'كيف أسترد أموالي',
  '如何退款',
  '返金するにはどうすればいいですか',
  'ขอเงินคืนได้อย่างไร',
  'पैसे कैसे वापस मिलेंगे',
  '환불은 어떻게 받나요',
  '🎉🎉🎉',
  '12345',
  '!?',
  '',
])('does not speak "%s"', (text) => {
  expect(speaks(text)).toBe(false);
});

describe('pieces of whole collections', { tags: ['nightly'] }, () => {
  const shareOf = (texts: readonly string[]) => texts.filter(speaks).length / texts.length;

  test('English manuals with much code are spoken', () => {
    expect(shareOf(textsOf(documentsOf('sqlite')))).toBeGreaterThan(0.99);
    expect(shareOf(textsOf(documentsOf('python')))).toBeGreaterThan(0.99);
  });

  test('German and French pages about English commands are not', () => {
    expect(shareOf(textsOf(documentsOf('tldr')))).toBeLessThan(0.03);
  });
});
