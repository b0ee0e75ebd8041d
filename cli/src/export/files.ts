/** Writes the files of an export job into one file, or to stdout. */

import type { FileHandle } from 'node:fs/promises';
import {
  ExportFile,
  type ExportPart,
  ExportPartMissingError,
} from '../../../clients/typescript/src/index.ts';
import type { Output } from '../output/output.ts';
import { safeJsonText } from '../output/text.ts';
import type { RowFormat } from './csv.ts';

export type Written = { records: number; missing: ExportPart[] };

/** The place where the data goes: a file, or stdout. */
export type Sink = {
  append: (data: string | Uint8Array) => Promise<unknown>;
  /** Removes the data that was appended after the last `keep`. Data on stdout stays. */
  discard: () => Promise<unknown>;
  keep: () => void;
};

export function fileSink(partial: FileHandle): Sink {
  let size = 0;
  let keptSize = 0;
  return {
    async append(data) {
      await partial.appendFile(data);
      size += Buffer.byteLength(data);
    },
    async discard() {
      await partial.truncate(keptSize);
      size = keptSize;
    },
    keep() {
      keptSize = size;
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
  /** Says how each line becomes a row, as soon as the export is complete. If it is undefined, the lines stay as they are. */
  openRows?: (() => Promise<RowFormat>) | undefined;
};

/**
 * @param isCompressed whether the data stays compressed with gzip, as it is downloaded
 * @param onProgress is told how many bytes were downloaded
 */
export async function writeFiles(
  files: AsyncIterable<ExportFile>,
  sink: Sink,
  { isCompressed, onProgress, openRows }: Settings,
): Promise<Written> {
  const result: Written = { records: 0, missing: [] };
  let downloadedBytes = 0;
  let rows: RowFormat | undefined;
  const begin = async () => {
    if (rows !== undefined || openRows === undefined) return;
    rows = await openRows();
    await sink.append(rows.head);
    sink.keep();
  };
  for await (const { part, bytes } of files) {
    const file = new ExportFile(part, async function* (options) {
      for await (const chunk of bytes(options)) {
        downloadedBytes += chunk.length;
        onProgress(downloadedBytes);
        yield chunk;
      }
    });
    await begin();
    try {
      for await (const piece of isCompressed ? file.bytes() : pieces(file.text(), rows?.row))
        await sink.append(piece);
      sink.keep();
      result.records += part.records;
    } catch (error) {
      if (!(error instanceof ExportPartMissingError)) throw error;
      await sink.discard();
      result.missing.push(error.part);
    }
  }
  await begin();
  return result;
}

const asLine = (line: string) => `${safeJsonText(line)}\n`;

/** @returns pieces of several lines with their ends */
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
