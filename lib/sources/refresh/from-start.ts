/** As much as an XML declaration takes, and the signatures of files. */
export const startBytes = 1024;

/** @returns the chunks, of which the first has at least `startBytes` if there are as many */
export async function* fromStart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = Buffer.of();
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < startBytes) continue;
    yield start;
    start = undefined;
  }
  if (start !== undefined) yield start;
}
