/**
 * The stem of an English word (M. Porter, "An algorithm for suffix stripping", Program 14, 1980, with the two changes of its
 * author's published implementation: "bli" and "logi"). Words of other languages keep most of their ending.
 */

type Rule = readonly [suffix: string, replacement: string];

/** The first rule that fits is the only one, so a longer suffix stands before its own end. */
const doubleSuffixes: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];
const furtherSuffixes: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const lastSuffixes = 'ement ment ance ence able ible ant ent ism ate iti ous ive ize ion al er ic ou'.split(
  ' ',
);

/** @param term any term; only words of a to z change */
export function stemOf(term: string): string {
  if (term.length < 3 || !/^[a-z]+$/.test(term)) return term;
  let stem = withoutInflection(withoutPlural(term));
  if (stem.endsWith('y') && kindsOf(stem.slice(0, -1)).includes('v')) stem = `${stem.slice(0, -1)}i`;
  stem = replaceSuffix(replaceSuffix(stem, doubleSuffixes), furtherSuffixes);
  return withoutFinalE(withoutLast(stem));
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutInflection(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = ['ed', 'ing'].find((suffix) => word.endsWith(suffix));
  const base = ending ? word.slice(0, -ending.length) : '';
  if (!kindsOf(base).includes('v')) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (endsInDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsInShort(base) ? `${base}e` : base;
}

function replaceSuffix(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const base = word.slice(0, -rule[0].length);
  return measure(base) > 0 ? base + rule[1] : word;
}

function withoutLast(word: string): string {
  const suffix = lastSuffixes.find((last) => word.endsWith(last));
  if (!suffix) return word;
  const base = word.slice(0, -suffix.length);
  return measure(base) > 1 && (suffix !== 'ion' || /[st]$/.test(base)) ? base : word;
}

function withoutFinalE(word: string): string {
  const base = word.endsWith('e') ? word.slice(0, -1) : word;
  const isLong = measure(base) > 1 || (measure(base) === 1 && !endsInShort(base));
  const stem = isLong ? base : word;
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem;
}

/** @returns a letter for each letter: v for a vowel, c for a consonant. A y after a consonant is a vowel */
function kindsOf(word: string): string {
  let kinds = '';
  for (const letter of word) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && kinds.endsWith('c'));
    kinds += isVowel ? 'v' : 'c';
  }
  return kinds;
}

/** @returns how often consonants follow vowels */
const measure = (word: string): number => kindsOf(word).split('vc').length - 1;

const endsInDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && kindsOf(word).endsWith('c');

/** @returns whether the word ends in a consonant, a vowel and a consonant, as "hop" does */
const endsInShort = (word: string): boolean => kindsOf(word).endsWith('cvc') && !/[wxy]$/.test(word);
