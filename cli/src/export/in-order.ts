/** Parallel work whose results keep their order. */

/**
 * @param act handles an item; at most `concurrency` calls run at the same time
 * @returns the results in the order of the items. After a failure or an early end, no further items are read
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const queue: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = act(item);
      // The result is awaited later. Until then, a rejection must not end the process.
      result.catch(() => {});
      queue.push(result);
      if (queue.length >= concurrency) yield await (queue.shift() as Promise<Result>);
    }
    for (let next = queue.shift(); next; next = queue.shift()) yield await next;
  } finally {
    await Promise.allSettled(queue);
  }
}
