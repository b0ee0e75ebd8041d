/** The postings: which chunks have a term in a field, and how often. */

/** The postings of one term in one field: a range of the store's arrays. */
export type Postings = { from: number; to: number };

/** The postings of all terms in two arrays, because an index has millions, but few per term. */
export class PostingsStore {
  readonly ids: Uint32Array;
  readonly counts: Uint16Array;
  private nextIndex = 0;

  /** @param size the total number of postings */
  constructor(size: number) {
    this.ids = new Uint32Array(size);
    this.counts = new Uint16Array(size);
  }

  /** @param line the result of `asDistances`, from `at` on */
  add(line: readonly (string | number)[], at: number): Postings {
    const from = this.nextIndex;
    let id = 0;
    for (let next = at; next < line.length; next += 2) {
      id += line[next] as number;
      this.ids[this.nextIndex] = id;
      this.counts[this.nextIndex] = line[next + 1] as number;
      this.nextIndex += 1;
    }
    return { from, to: this.nextIndex };
  }
}

/**
 * @param pairs chunk and frequency in turn, in the order of the chunks
 * @returns the same with each chunk as the distance from the previous one: mostly small numbers, which compress well
 */
export const asDistances = (pairs: readonly number[]): number[] =>
  pairs.map((value, at) => (at % 2 === 0 && at > 0 ? value - (pairs[at - 2] as number) : value));
