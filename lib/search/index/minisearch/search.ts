/** The first algorithm: exact words ranked as in MiniSearch, and similar words if no word matches. */

import type { LoadedFile } from '../common/index-file.ts';
import { hitsOf, keptBy } from '../common/kept.ts';
import type { SearchIndex } from '../common/search-index.ts';
import { stemOf, termsOf } from '../common/terms.ts';
import { allowance, type Work } from '../common/work.ts';
import { type Collection, type Match, rank } from './ranking.ts';
import { similarTerms } from './similar-terms.ts';

const boosts = [2, 1.5, 1];

/** The number of words of a query that are replaced by similar terms. */
const maxSimilarWords = 10;

export function openMinisearch(file: LoadedFile): SearchIndex {
  const { places, lengths, store, byTerm, means } = file;
  const collection: Collection = { store, boosts, lengths, means, documentOf: (id) => places[id]?.[0] };
  // Only a search without matches needs the sorted terms.
  let sorted: string[] | undefined;

  const exactly = (word: string): Match[] => {
    const postings = byTerm.get(word);
    return postings ? [{ postings, weight: 1 }] : [];
  };
  const similarly = (words: readonly string[], work: Work): Match[][] => {
    sorted ??= [...byTerm.keys()].sort();
    const terms = sorted;
    // Long words are the rarest, and the most likely to be misspelt.
    const longest = words.toSorted((a, b) => b.length - a.length).slice(0, maxSimilarWords);
    const comparisons = Math.floor(work.comparisons / longest.length);
    return longest.map((word) => {
      // Each word has its own share of the work.
      const share = { ...work, comparisons };
      const similar = similarTerms(terms, word, share);
      work.comparisons -= comparisons - share.comparisons;
      const matches = similar.map(({ term, weight }) => ({ postings: byTerm.get(term) ?? [], weight }));
      return [...exactly(word), ...matches];
    });
  };

  return {
    documents: file.documents,
    search(query, filter, limit, _semantic, work = allowance()) {
      const words = new Set(termsOf(query));
      const isMatch = (term: string) => words.has(stemOf(term));
      const isKept = keptBy(file, filter);
      if (words.size === 0 || isKept === 'none') return { hits: [], isMatch };
      const exact = rank(collection, [...words].map(exactly), isKept, limit, work);
      // Similar words would mix with exact matches, so they count only if the exact words find nothing.
      const ranked =
        exact.length > 0 ? exact : rank(collection, similarly([...words], work), isKept, limit, work);
      return { hits: hitsOf(file, ranked), isMatch };
    },
  };
}
