/** Works on many documents at the same time. */

import { unlessAborted } from '../core/timing.ts';

/**
 * Passes the documents on.
 * @param ids gets the externalIds
 * @throws TypeError if two documents have the same externalId
 */
export async function* requireDistinct<Item extends { externalId: string }>(
  documents: Iterable<Item> | AsyncIterable<Item>,
  ids: Set<string>,
): AsyncGenerator<Item> {
  for await (const document of documents) {
    const { externalId } = document;
    if (ids.has(externalId)) throw new TypeError(`Two documents have the externalId ${externalId}.`);
    ids.add(externalId);
    yield document;
  }
}

/**
 * Acts on the items, on at most `concurrency` at the same time. The first failure ends the other work.
 * @param stop is aborted by the first failure. Its signal must end the work of `act`
 * @param signal ends with the signal of `stop`, or earlier
 * @throws the first failure, when no `act` runs any more. It does not wait for an item that is still awaited
 */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  act: (item: Item) => Promise<void>,
  stop: AbortController,
  signal: AbortSignal,
): Promise<void> {
  const iterator = (async function* () {
    yield* items;
  })();
  const failures: unknown[] = [];
  const work = async () => {
    try {
      for (;;) {
        signal.throwIfAborted();
        const next = await unlessAborted(iterator.next(), signal);
        if (next.done) return;
        await act(next.value);
      }
    } catch (error) {
      failures.push(error);
      stop.abort(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failures.length === 0) return;
  // The source can close what it has opened. Nobody waits for this, because it may wait for its next item for ever.
  iterator.return().catch(() => {});
  throw failures[0];
}
