/** Server-sent events ("Server-sent events", WHATWG HTML Standard), as far as chat completions use them. */

import { BrokenStream } from './deliver.ts';

const maxEventBytes = 256 * 1024;
const newline = 0x0a;

/** @returns the data of each event @throws BrokenStream if a line or an event is too long */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  let size = 0;
  for await (const line of lines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      size = 0;
      continue;
    }
    // All other lines are comments, names and ids.
    if (!line.startsWith('data:')) continue;
    size += line.length;
    if (size > maxEventBytes) throw new BrokenStream('an event of the stream is too long');
    data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
  if (data.length > 0) yield data.join('\n');
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const line = () => Buffer.concat(pieces).toString('utf8').replace(/\r$/, '');
  for await (const chunk of body) {
    let rest = chunk;
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      pieces.push(rest.subarray(0, end));
      yield line();
      pieces = [];
      size = 0;
      rest = rest.subarray(end + 1);
    }
    pieces.push(rest);
    size += rest.byteLength;
    if (size > maxEventBytes) throw new BrokenStream('a line of the stream is too long');
  }
  if (size > 0) yield line();
}
