/**
 * Finds a place in a sorted list by bisection.
 * @param isBehind whether an item is at the place or behind it
 * @returns the index of the first such item; the length of the list if there is none
 */
export function firstIndex<T>(sorted: readonly T[], isBehind: (item: T) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    // The index is in the list.
    if (isBehind(sorted[middle] as T)) to = middle;
    else from = middle + 1;
  }
  return from;
}
