/** @returns the values in their order, in arrays of `size`; the last array may be shorter */
export const split = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );

/**
 * Calls `act` for `size` values at a time. A batch starts when the batch before it has ended, so an error stops the rest. The
 * error is thrown when its batch has ended, so no call continues after it.
 * @param between is called before each batch but the first. It may throw to stop the work
 * @returns the results in the order of the values
 */
export async function inBatches<Value, Result>(
  values: readonly Value[],
  size: number,
  act: (value: Value) => Promise<Result>,
  between: () => void | Promise<void> = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, batch] of split(values, size).entries()) {
    if (index > 0) await between();
    const settled = await Promise.allSettled(batch.map(act));
    for (const outcome of settled) {
      if (outcome.status === 'rejected') throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}
