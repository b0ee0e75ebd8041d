/** Parallel work whose results keep their order. */

/**
 * @param act on each item; at most `concurrency` run at the same time
 * @returns the results in the order of the items. After a failure or an early end, no further items are read.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const waiting: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = act(item);
      // It is awaited later. Until then, a rejection must not end the process.
      result.catch(() => {});
      waiting.push(result);
      if (waiting.length >= concurrency) yield await (waiting.shift() as Promise<Result>);
    }
    for (let next = waiting.shift(); next; next = waiting.shift()) yield await next;
  } finally {
    await Promise.allSettled(waiting);
  }
}
