/**
 * Splits an export into its records: JSON lines, the items of a JSON array, or JSON values one after the other, such as one object on
 * several lines. Only one record is in memory. Pure.
 */

/** A larger record is not converted, so that one record cannot fill the memory. */
export const maxRecordBytes = 16 * 1024 * 1024;

/** A record, and the line at which it begins, from 1. */
export type SourceRecord = { line: number; text: string } | { line: number; problem: string };

const [newline, quote, backslash, comma] = [0x0a, 0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const isBlank = (byte: number) => byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

/** So much of a file shows its kind. The first line of an indented value is short. */
const maxStartBytes = 64 * 1024;

/** https://www.rfc-editor.org/rfc/rfc8259#section-8.1 lets a parser ignore a byte order mark. */
const mark = Buffer.from('\ufeff');

/** @param chunks the bytes of the export, in any pieces */
export async function* recordsOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = maxRecordBytes,
): AsyncGenerator<SourceRecord> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let kind: 'lines' | 'values' | undefined;
  while (kind === undefined) {
    const { done, value } = await iterator.next();
    start = Buffer.concat([start, value ?? Buffer.alloc(0)]);
    if (start.length >= mark.length && start.subarray(0, mark.length).equals(mark))
      start = start.subarray(mark.length);
    kind = kindOf(start, done === true || start.length > maxStartBytes);
    if (done) break;
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield start;
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  };
  try {
    yield* kind === 'values' ? valuesIn(all(), maxBytes) : linesIn(all(), maxBytes);
  } finally {
    await iterator.return?.();
  }
}

/**
 * The first line of an indented value ends with its bracket. Every other first line is one of JSON lines, even if it is damaged: then
 * it is reported alone.
 * @returns undefined if more bytes are needed
 */
function kindOf(start: Buffer, isAll: boolean): 'lines' | 'values' | undefined {
  const from = start.findIndex((byte) => !isBlank(byte));
  if (from < 0) return isAll ? 'lines' : undefined;
  if (start[from] === openArray) return 'values';
  const end = start.indexOf(newline, from);
  if (end < 0 && !isAll) return undefined;
  const line = start.toString('utf8', from, end < 0 ? start.length : end).trimEnd();
  return end >= 0 && /[{[]$/.test(line) ? 'values' : 'lines';
}

/** The bytes of one record, without those of a record that is too large. */
class Pieces {
  #parts: Buffer[] = [];
  #bytes = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= this.#maxBytes) this.#parts.push(part);
    else this.#parts = [];
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Ends the record. */
  take(line: number): SourceRecord {
    const isTooLarge = this.#bytes > this.#maxBytes;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return isTooLarge
      ? { line, problem: `The record has more than ${this.#maxBytes} bytes.` }
      : recordFrom(line, bytes);
  }
}

function recordFrom(line: number, bytes: Buffer): SourceRecord {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return { line, text };
  } catch (error) {
    const problem =
      error instanceof SyntaxError ? 'The record is not JSON.' : 'The record is not UTF-8 text.';
    return { line, problem };
  }
}

async function* linesIn(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<SourceRecord> {
  let line = 1;
  let isBlankLine = true;
  const pieces = new Pieces(maxBytes);
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(newline, from);
      const part = chunk.subarray(from, at < 0 ? chunk.length : at);
      isBlankLine &&= part.every(isBlank);
      pieces.add(part);
      if (at < 0) break;
      const record = pieces.take(line);
      if (!isBlankLine) yield record;
      isBlankLine = true;
      line += 1;
      from = at + 1;
    }
  }
  if (!isBlankLine) yield pieces.take(line);
}

/** A value ends where its brackets are closed. A damaged value ends with the file, or where its brackets happen to be closed. */
async function* valuesIn(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<SourceRecord> {
  let line = 1;
  let begin = 1;
  // The items of an array at the top are the records.
  let isInArray = false;
  let depth = 0;
  let state: 'between' | 'value' | 'string' | 'escape' = 'between';
  const pieces = new Pieces(maxBytes);
  for await (const chunk of chunks) {
    // Where the bytes of the value in this chunk begin.
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === newline) line += 1;
      if (state === 'escape') state = 'string';
      else if (state === 'string') {
        if (byte === backslash) state = 'escape';
        else if (byte === quote) state = 'value';
      } else if (state === 'value') {
        if (byte === quote) state = 'string';
        else if (byte === openObject || byte === openArray) depth += 1;
        else if (depth > 0 && (byte === closeObject || byte === closeArray)) {
          depth -= 1;
          if (depth === 0) {
            pieces.add(chunk.subarray(from, at + 1));
            yield pieces.take(begin);
            state = 'between';
          }
        } else if (depth === 0 && (isBlank(byte) || byte === comma || byte === closeArray)) {
          pieces.add(chunk.subarray(from, at));
          yield pieces.take(begin);
          state = 'between';
          if (byte === closeArray) isInArray = false;
        }
      } else if (byte === openArray && !isInArray) isInArray = true;
      else if (byte === closeArray && isInArray) isInArray = false;
      else if (!isBlank(byte) && !(byte === comma && isInArray)) {
        begin = line;
        from = at;
        state = byte === quote ? 'string' : 'value';
        depth = byte === openObject || byte === openArray ? 1 : 0;
      }
    }
    if (state !== 'between') pieces.add(chunk.subarray(from));
  }
  if (state !== 'between' && !pieces.isEmpty) yield pieces.take(begin);
  else if (isInArray) yield { line, problem: 'The file ends inside its array.' };
}
