/** The current algorithm: BM25F over pieces, with inflected and misspelt words, and if there are vectors, their meaning. */

import { termsIn } from '../../../text/terms.ts';
import { best } from '../common/best.ts';
import type { LoadedFile } from '../common/index-file.ts';
import { allowance, hitsOf, keptBy, rarity, type SearchIndex, type Work } from '../common/search-index.ts';
import { stemOf as singularOf } from '../common/terms.ts';
import { type Forms, formsOf, guessesOf, type Vocabulary } from './forms.ts';
import { rankHybrid } from './hybrid.ts';
import { type Collection, scoresOf, type Word } from './ranking.ts';
import { isStopWord } from './stop-words.ts';
import { identifiersIn, join } from './terms.ts';

/** The number of unknown words of a query that are replaced by similar terms. */
const maxGuessedWords = 10;
const stopWordWeight = 0.3;
/** A word that is also part of an identifier counts on its own, too. */
const identifierWeight = 0.4;

export function openPassages(file: LoadedFile): SearchIndex {
  const { byTerm } = file;
  const collection = collectionOf(file);
  const frequency = (term: string) => {
    const byField = byTerm.get(term);
    return byField ? byField.reduce((sum, range) => sum + (range ? range.to - range.from : 0), 0) : 0;
  };
  const vocabulary: Vocabulary = { sortedTerms: [...byTerm.keys()], frequency };

  return {
    documents: file.documents,
    search(query, filter, limit, semantic, work = allowance()) {
      const isKept = keptBy(file, filter);
      if (isKept === 'none') return { hits: [], weightOf: () => 0 };
      const words = wordsOf(query, vocabulary, work);
      const { documentOf } = collection;
      const size = documentOf.length;
      const weights = new Map(
        words.flatMap(({ isEnough, terms }) =>
          isEnough ? [...terms].map(([term, weight]) => [term, weight * rarity(size, frequency(term))]) : [],
        ),
      );
      const weightOf = (term: string) => weights.get(singularOf(term)) ?? 0;
      const ofPiece = (id: number) => documentOf[id];
      const lexical = scoresOf(collection, words, isKept, work);
      const ranked = semantic
        ? rankHybrid(semantic, size, lexical, ofPiece, isKept, limit)
        : best(size, lexical.scoreOf, ofPiece, limit);
      return { hits: hitsOf(file, ranked), weightOf };
    },
  };
}

function collectionOf({ places, documents, lengths, ...rest }: LoadedFile): Collection {
  const documentOf = Uint32Array.from(places, ([document]) => document);
  const documentLengths = new Float64Array(documents.length);
  for (const [id, document] of documentOf.entries()) {
    documentLengths[document] = (documentLengths[document] as number) + (lengths[id]?.at(-1) ?? 0);
  }
  const total = documentLengths.reduce((sum, length) => sum + length, 0);
  return { ...rest, lengths, documentOf, documentLengths, meanDocumentLength: total / documents.length };
}

/** @returns the words of a query, its identifiers, and neighbours that the documents write as one word */
function wordsOf(query: string, vocabulary: Vocabulary, work: Work): Word[] {
  const terms = [...termsIn(query)];
  const singulars = terms.map(({ term }) => singularOf(term));
  const all = new Set(singulars);
  const content = [...all].filter((term) => !isStopWord(term));
  // A question of stop words only is about these words.
  const important = content.length > 0 ? content : [...all];
  const words = formsOfAll(vocabulary, important, work).map(
    ({ terms, weight }): Word => ({ terms, weight, isEnough: true }),
  );
  for (const term of all) {
    if (important.includes(term)) continue;
    words.push({ terms: new Map([[term, 1]]), weight: stopWordWeight, isEnough: false });
  }
  const pairs = singulars.slice(1).flatMap((term, at) => {
    const previous = singulars[at] ?? '';
    return isStopWord(previous) || isStopWord(term) ? [] : [join(previous, term)];
  });
  for (const term of new Set([...identifiersIn(query, terms), ...pairs])) {
    if (all.has(term) || vocabulary.frequency(term) === 0) continue;
    words.push({ terms: new Map([[term, 1]]), weight: identifierWeight, isEnough: true });
  }
  return words;
}

/** @returns the forms of each word, and what the unknown words may have meant */
function formsOfAll(vocabulary: Vocabulary, words: readonly string[], work: Work): Forms[] {
  const entries = words.map((word) => ({ word, forms: formsOf(vocabulary, word, work) }));
  // Long words are the rarest, and the most likely to be misspelt.
  const unknownWords = entries
    .filter(({ forms }) => !forms.isKnown)
    .sort((a, b) => b.word.length - a.word.length)
    .slice(0, maxGuessedWords);
  // Each word has its own share of the work.
  const share = Math.floor(work.comparisons / unknownWords.length);
  for (const entry of unknownWords) {
    const comparisons = Math.min(share, work.comparisons);
    const wordWork = { ...work, comparisons };
    entry.forms = guessesOf(vocabulary, entry.word, entry.forms, wordWork);
    work.comparisons -= comparisons - wordWork.comparisons;
  }
  return entries.map(({ forms }) => forms);
}
