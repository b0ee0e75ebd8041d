/**
 * Unpacks a compressed file once, into parts that a turn can read from any byte. A run can be killed between any two lines: the
 * next turn unpacks the file from its start, and writes the parts that are not stored yet. Another version of the file is refused,
 * so two runs write the same. A part is written soon after the check that the import goes on (lib/runtime/fence.ts), so the end of
 * the import knows when it can remove them all.
 */

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Files } from '../../base/files.ts';
import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { advance, JobLost, type JobRun, outside, requireActive, write } from '../../jobs/run.ts';
import { getProject } from '../../projects/store.ts';
import { checkTurn } from '../../workers/turn.ts';
import { beginUnpacked, exportParts, fileKey, unpackedId } from '../exports/files/store.ts';
import { type FileLimits, FileProblem, openBytes, requireTextBytes } from './lines.ts';
import { noteImport, type ProjectStore, type StoredImport, type Unpacked } from './store.ts';
import { uploadLifetimeMs } from './uploads/store.ts';

type Run = JobRun<'conversations.import'>;

/** @returns undefined for a plain file */
export async function unpackFile(
  run: Run,
  { uploadId, version, unpacked }: StoredImport,
  file: string,
  limits: FileLimits,
): Promise<Unpacked | undefined> {
  if (unpacked?.isComplete) return unpacked;
  const { store, job, input } = run;
  const { files } = await outside(run);
  const [firstByte, secondByte] = (await files.read(file, 0, 2))?.bytes ?? [];
  if (firstByte !== 0x1f || secondByte !== 0x8b) return undefined;
  const source = await openBytes(files, file, unpacked?.version ?? version, limits);
  let progress = unpacked ?? { version: source.version, parts: 0, bytes: 0, isComplete: false };
  const save = async (changes: Partial<Unpacked>) => {
    progress = { ...progress, ...changes };
    if (!(await advance(run, { attempts: 0 }, [noteImport(store, job.id, { unpacked: progress })])))
      throw new JobLost();
  };
  // From now on, the end of the import removes parts.
  if (!unpacked) await save({});
  let [parts, bytes] = [0, 0];
  for await (const part of inParts(unzip(source.bytes), limits.unpackedBytes)) {
    parts += 1;
    bytes += part.length;
    requireTextBytes(bytes, limits);
    if (parts <= progress.parts) continue;
    await putPart(run, uploadId, parts, part);
    await save({ parts, bytes });
    checkTurn(input);
  }
  await save({ isComplete: true });
  return progress;
}

/** @returns what reads the parts as one file */
export const unpackedFiles = (
  files: Pick<Files, 'read'>,
  { store, job }: Pick<Run, 'store' | 'job'>,
  uploadId: string,
  { version, bytes: size }: Unpacked,
  { unpackedBytes }: FileLimits,
): Pick<Files, 'read'> => ({
  async read(_, from, length) {
    // A text of 0 bytes is no missing file.
    if (size === 0) return { bytes: new Uint8Array(), size, version };
    const number = Math.floor(from / unpackedBytes) + 1;
    const part = await files.read(keyOf(store, job.id, number, uploadId), from % unpackedBytes, length);
    return part && { bytes: part.bytes, size, version };
  },
});

const keyOf = (store: ProjectStore, ...part: Parameters<typeof unpackedId>): string =>
  fileKey(exportParts.at(store).key(unpackedId(...part)));

async function putPart(run: Run, uploadId: string, number: number, bytes: Uint8Array): Promise<void> {
  const { store, job, input } = run;
  const signal = AbortSignal.timeout(input.fence.writeMs);
  const createdMs = Date.parse(job.createdAt);
  const part = {
    id: unpackedId(job.id, number, uploadId),
    bytes: bytes.length,
    expiresAt: timestamp(createdMs + uploadLifetimeMs),
    ttl: ttlSeconds(createdMs + 7 * dayMs),
  };
  await write(run, [beginUnpacked(store, part)]);
  const [{ files }, project] = await Promise.all([outside(run), getProject(store, store.projectId)]);
  requireActive(project, 'import');
  await files.put(keyOf(store, job.id, number, uploadId), bytes, signal);
}

async function* unzip(compressed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  // The stream of the pipeline throws its errors.
  const stream = pipeline(Readable.from(compressed), createGunzip(), () => {});
  try {
    yield* stream;
  } catch (error) {
    if (!`${(error as NodeJS.ErrnoException).code}`.startsWith('Z_')) throw error;
    throw new FileProblem('file_unreadable', 'The file is not valid gzip.');
  }
}

/** @returns the bytes in parts of this size; the last part may be smaller */
async function* inParts(chunks: AsyncGenerator<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let part: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const bytes = chunk.subarray(from, from + size - length);
      part.push(bytes);
      length += bytes.length;
      from += bytes.length;
      if (length < size) continue;
      yield Buffer.concat(part);
      part = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(part);
}
