/** Which chunks have a term in a field, and how often. */

/** Of one term in one field: a part of the store's arrays. */
export type Postings = { from: number; to: number };

/** The postings of all terms, in the memory of two arrays: an index has millions, and each term has few. */
export class PostingsStore {
  readonly ids: Uint32Array;
  readonly counts: Uint16Array;
  private used = 0;

  /** @param size how many postings there will be, of all terms together */
  constructor(size: number) {
    this.ids = new Uint32Array(size);
    this.counts = new Uint16Array(size);
  }

  /** @param line from `at` on, what `asDistances` returned */
  add(line: readonly (string | number)[], at: number): Postings {
    const from = this.used;
    let id = 0;
    for (let next = at; next < line.length; next += 2) {
      id += line[next] as number;
      this.ids[this.used] = id;
      this.counts[this.used] = line[next + 1] as number;
      this.used += 1;
    }
    return { from, to: this.used };
  }
}

/**
 * @param pairs a chunk and how often it has the term, in the order of the chunks, one pair after the other
 * @returns the same with each chunk as its distance from the one before: mostly small numbers, which compress well
 */
export const asDistances = (pairs: readonly number[]): number[] =>
  pairs.map((value, at) => (at % 2 === 0 && at > 0 ? value - (pairs[at - 2] as number) : value));
