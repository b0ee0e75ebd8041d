/** The lines of a compressed text, one at a time, with what every runtime has. */

import { ConnectionError } from './errors.ts';

/** @param read opens a gzip file. Its failures are passed on. The signal ends a read that still waits when the caller stops */
export async function* gunzippedLines(
  read: (options: { signal: AbortSignal }) => AsyncIterator<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const stop = new AbortController();
  const chunks = read({ signal: stop.signal });
  let failure: unknown;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        failure = error;
        controller.error(error);
      }
    },
  });
  const reader = source.pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  // Not searched again: a line may have many chunks.
  let begun = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = decoder.decode(value, { stream: !done }).split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) {
        yield begun + line;
        begun = '';
      }
      begun += last;
      if (!done) continue;
      if (begun !== '') yield begun;
      return;
    }
  } catch (error) {
    throw failure ?? (error instanceof TypeError ? notGzip(error) : error);
  } finally {
    stop.abort();
    await reader.cancel().catch(() => {});
  }
}

const notGzip = ({ message }: Error) => new ConnectionError(`The file cannot be decompressed: ${message}`);
