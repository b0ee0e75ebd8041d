/** Which chunks have a term in a field, and how often. */

/** The postings of all terms, in the memory of two arrays: an index has millions, and each term has few. */
export class PostingsStore {
  private readonly ids: Uint32Array;
  private readonly counts: Uint16Array;
  private used = 0;

  /** @param size how many postings there will be, of all terms together */
  constructor(size: number) {
    this.ids = new Uint32Array(size);
    this.counts = new Uint16Array(size);
  }

  /** @param line from `from` on, what `asDistances` returned */
  add(line: readonly (string | number)[], from: number): Postings {
    const start = this.used;
    let id = 0;
    for (let at = from; at < line.length; at += 2) {
      id += line[at] as number;
      this.ids[this.used] = id;
      this.counts[this.used] = line[at + 1] as number;
      this.used += 1;
    }
    return new Postings(this.ids, this.counts, start, this.used);
  }
}

/** Of one term in one field, a part of the two arrays: as much of a Map as a search asks for. */
export class Postings {
  private readonly ids: Uint32Array;
  private readonly counts: Uint16Array;
  private readonly from: number;
  private readonly to: number;

  constructor(ids: Uint32Array, counts: Uint16Array, from: number, to: number) {
    this.ids = ids;
    this.counts = counts;
    this.from = from;
    this.to = to;
  }

  get size(): number {
    return this.to - this.from;
  }

  keys(): IterableIterator<number> {
    return this.ids.subarray(this.from, this.to).values();
  }

  /** @returns how often that chunk has the term */
  get(id: number): number | undefined {
    let [low, high] = [this.from, this.to - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.ids[middle] as number;
      if (found === id) return this.counts[middle];
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

/**
 * @param pairs a chunk and how often it has the term, in the order of the chunks, one pair after the other
 * @returns the same with each chunk as its distance from the one before: mostly small numbers, which compress well
 */
export const asDistances = (pairs: readonly number[]): number[] =>
  pairs.map((value, at) => (at % 2 === 0 && at > 0 ? value - (pairs[at - 2] as number) : value));
