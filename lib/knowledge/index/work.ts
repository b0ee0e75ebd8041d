/** How much one search may still do. It depends neither on the query nor on the size of the index. */

export type Work = {
  /** Postings of terms that are scored. */
  postings: number;
  /** Characters of terms that are compared with a word of the query, to find similar ones. */
  comparisons: number;
};

/** Some 50 ms. In an index of 20 000 documents of 4 KB, the most frequent word has some 100 000 postings. */
export const allowance = (): Work => ({ postings: 1_000_000, comparisons: 4_000_000 });
