/** Works on many documents at the same time. */

/** @throws TypeError if two documents have the same externalId */
export async function* distinct<Item extends { externalId: string }>(
  documents: Iterable<Item> | AsyncIterable<Item>,
  seen: Set<string>,
): AsyncGenerator<Item> {
  for await (const document of documents) {
    const { externalId } = document;
    if (seen.has(externalId)) throw new TypeError(`Two documents have the externalId ${externalId}.`);
    seen.add(externalId);
    yield document;
  }
}

/** Rejects with the first failure, when all that had begun has ended. */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  act: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const iterator = (async function* () {
    yield* items;
  })();
  let failed = false;
  const work = async () => {
    try {
      for (let next = await iterator.next(); !next.done && !failed; next = await iterator.next()) {
        signal.throwIfAborted();
        await act(next.value);
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
