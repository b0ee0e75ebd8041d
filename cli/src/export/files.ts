/** Writes the files of an export job into one file, or to stdout. */

import type { FileHandle } from 'node:fs/promises';
import {
  ExportFile,
  type ExportPart,
  ExportPartMissingError,
} from '../../../clients/typescript/src/index.ts';
import type { Output } from '../output/output.ts';
import { safeJsonText } from '../output/text.ts';
import type { RowFormat } from './scores-csv.ts';

export type Written = { records: number; missing: ExportPart[] };

/** Where the data goes. */
export type Sink = {
  append: (data: string | Uint8Array) => Promise<unknown>;
  /** Removes what was appended after the last `keep`; what stdout has got stays there. */
  discard: () => Promise<unknown>;
  keep: () => void;
};

export function fileSink(partial: FileHandle): Sink {
  let size = 0;
  let kept = 0;
  return {
    async append(data) {
      await partial.appendFile(data);
      size += Buffer.byteLength(data);
    },
    async discard() {
      await partial.truncate(kept);
      size = kept;
    },
    keep() {
      kept = size;
    },
  };
}

export const stdoutSink = (out: Output): Sink => ({
  append: (data) => (typeof data === 'string' ? out.data(data) : out.write(data)),
  discard: async () => {},
  keep: () => {},
});

/** Larger pieces are faster, and nobody waits for a line. */
const pieceLength = 64 * 1024;

type Settings = {
  isCompressed: boolean;
  onProgress: (bytes: number) => void;
  /** How each line becomes a row, known when the export is complete. Without it, the lines stay as they are. */
  openRows?: (() => Promise<RowFormat>) | undefined;
};

/**
 * @param isCompressed whether the data stays as it is downloaded: gzip
 * @param onProgress is told how many bytes were downloaded
 */
export async function writeFiles(
  files: AsyncIterable<ExportFile>,
  sink: Sink,
  { isCompressed, onProgress, openRows }: Settings,
): Promise<Written> {
  const written: Written = { records: 0, missing: [] };
  let downloaded = 0;
  let rows: RowFormat | undefined;
  const begin = async () => {
    if (rows !== undefined || openRows === undefined) return;
    rows = await openRows();
    await sink.append(rows.head);
    sink.keep();
  };
  for await (const { part, bytes } of files) {
    const counted = new ExportFile(part, async function* (options) {
      for await (const chunk of bytes(options)) {
        downloaded += chunk.length;
        onProgress(downloaded);
        yield chunk;
      }
    });
    await begin();
    try {
      for await (const piece of isCompressed ? counted.bytes() : pieces(counted.text(), rows?.row))
        await sink.append(piece);
      sink.keep();
      written.records += part.records;
    } catch (error) {
      if (!(error instanceof ExportPartMissingError)) throw error;
      await sink.discard();
      written.missing.push(error.part);
    }
  }
  await begin();
  return written;
}

const asLine = (line: string) => `${safeJsonText(line)}\n`;

/** Lines with their ends, several at once. */
async function* pieces(lines: AsyncIterable<string>, rowOf = asLine): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += rowOf(line);
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
