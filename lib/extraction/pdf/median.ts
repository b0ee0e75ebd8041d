/** @returns the number in the middle, or the larger one of two; 0 if there are no numbers */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
