/** Reads and writes compressed lines, with functions that every runtime has. */

import { ConnectionError } from './errors.ts';

/** @param read opens a gzip file. Its failures are passed on. The signal ends a read that still waits when the caller stops */
export async function* gunzippedLines(
  read: (options: { signal: AbortSignal }) => AsyncIterator<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const stop = new AbortController();
  const chunks = read({ signal: stop.signal });
  const source = streamOf(chunks);
  const reader = source.stream.pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  // The start of a line is not searched again, because a line may have many chunks.
  let lineStart = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = decoder.decode(value, { stream: !done }).split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) {
        yield lineStart + line;
        lineStart = '';
      }
      lineStart += last;
      if (!done) continue;
      if (lineStart !== '') yield lineStart;
      return;
    }
  } catch (error) {
    throw source.failure() ?? (error instanceof TypeError ? notGzip(error) : error);
  } finally {
    stop.abort();
    await reader.cancel().catch(() => {});
  }
}

const notGzip = ({ message }: Error) => new ConnectionError(`The file cannot be decompressed: ${message}`);

/** Writes objects as JSON lines, and compresses them. Only the compressed form is in memory. */
export async function gzippedLines(values: Iterable<object> | AsyncIterable<object>): Promise<Blob> {
  const encoder = new TextEncoder();
  const lines = (async function* () {
    for await (const value of values) yield encoder.encode(`${JSON.stringify(value)}\n`);
  })();
  const source = streamOf(lines);
  try {
    return await new Response(source.stream.pipeThrough(new CompressionStream('gzip'))).blob();
  } catch (error) {
    throw source.failure() ?? error;
  }
}

/** @returns the chunks as a stream, and why they have failed: not every runtime passes that on */
function streamOf(chunks: AsyncIterator<Uint8Array>) {
  let failure: unknown;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
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
  return { stream, failure: () => failure };
}
