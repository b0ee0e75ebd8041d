import { type Span, searchableTerms, type Term, type Tokenizer, termsIn } from './terms.ts';

export type Query = {
  /** The words may be at any position. There are no duplicates. */
  words: readonly string[];
  /** A phrase has two or more words that must follow each other. */
  phrases: readonly (readonly string[])[];
};

/**
 * Parses words, and phrases in quotation marks. An unclosed mark is ignored.
 * @returns a query without words if there is nothing to search for
 */
export function parseQuery(text: string, tokenize: Tokenizer = termsIn): Query {
  const words = new Set<string>();
  const phrases = new Map<string, string[]>();
  // The parts at odd positions were in quotation marks.
  const parts = text.replace(/[“”„]/g, '"').split('"');
  for (const [index, part] of parts.entries()) {
    const terms = [...tokenize(part)].map(({ term }) => term);
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    if (isQuoted && terms.length > 1) phrases.set(terms.join(' '), terms);
    else for (const term of terms) words.add(term);
  }
  return { words: [...words], phrases: [...phrases.values()] };
}

/** @returns the terms that a text must contain, without duplicates */
export const termsOf = ({ words, phrases }: Query): string[] => [...new Set([...words, ...phrases.flat()])];

/**
 * Checks the searchable part of a text.
 * @returns the matches, in order and without overlaps; undefined if a term or a phrase is missing
 */
export function matchesIn(text: string, query: Query, tokenize?: Tokenizer): Span[] | undefined {
  const terms = [...searchableTerms(text, tokenize)];
  const present = new Set(terms.map(({ term }) => term));
  if (!termsOf(query).every((term) => present.has(term))) return undefined;
  const words = new Set(query.words);
  const spans: Span[] = terms.filter(({ term }) => words.has(term)).map(({ start, end }) => ({ start, end }));
  for (const phrase of query.phrases) {
    const places = placesOf(phrase, terms);
    if (places.length === 0) return undefined;
    for (const at of places) {
      const [first, last] = [terms[at], terms[at + phrase.length - 1]];
      if (first && last) spans.push({ start: first.start, end: last.end });
    }
  }
  return merge(spans);
}

/**
 * Compares each term about twice, even if a phrase repeats itself (D. Knuth, J. Morris and V. Pratt, "Fast pattern
 * matching in strings", SIAM J. Comput. 6, 1977).
 * @returns the terms at which the phrase starts
 */
function placesOf(phrase: readonly string[], terms: readonly Pick<Term, 'term'>[]): number[] {
  /** @returns the length of the prefix of the phrase that is matched after this term, if `matched` terms are matched before */
  const step = (matched: number, term: string | undefined): number => {
    let length = matched;
    while (length > 0 && phrase[length] !== term) length = borders[length - 1] ?? 0;
    return phrase[length] === term ? length + 1 : length;
  };
  const borders = [0];
  for (let at = 1; at < phrase.length; at += 1) borders.push(step(borders[at - 1] ?? 0, phrase[at]));
  const places: number[] = [];
  let matched = 0;
  for (const [at, { term }] of terms.entries()) {
    matched = step(matched, term);
    if (matched === phrase.length) places.push(at - phrase.length + 1);
  }
  return places;
}

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}
