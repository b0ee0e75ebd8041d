/** Imports of files, worked off at once. */

import { gzipSync } from 'node:zlib';
import { runImport } from '../../lib/bulk/imports/import.ts';
import { type FileLimits, fileLimits } from '../../lib/bulk/imports/lines.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { forEachNotice } from '../../lib/workers/worker.ts';
import { type Json, jobNotice, type TestApi } from '../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../samples/lambda-queue.ts';
import importer from '../../workers/importer.ts';

/** Does the job. @throws the fault of the worker */
export const runImportJob = (
  { runtime, organisationId }: { runtime: BaseRuntime; organisationId: string },
  project: string,
  job: string,
  limits: FileLimits = fileLimits,
): Promise<void> =>
  deliverNotices(
    runtime,
    { ...importer, handle: forEachNotice((store, { id }, input) => runImport(store, id, input, limits)) },
    [jobNotice(`${organisationId}#live`, project, job)],
  );

/** Does the job, turn after turn. @returns the number of turns. @throws the fault of the worker */
export async function runImportInTurns(...job: Parameters<typeof runImportJob>): Promise<number> {
  for (let turns = 1; ; turns += 1) {
    if (!(await endsTurn(runImportJob(...job)))) return turns;
  }
}

export const textOf = (lines: readonly Json[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Uploads a file, as a PUT to its link does. @returns the id of the upload */
export async function upload(
  api: Pick<TestApi, 'call' | 'files'>,
  project: string,
  bytes: Uint8Array,
  purpose: 'conversations' | 'knowledge' = 'conversations',
): Promise<string> {
  const { status, text, data } = await api.call('POST', `/projects/${project}/uploads`, {
    body: { bytes: bytes.length, purpose },
  });
  if (status !== 201) throw new Error(text);
  api.files.set(/(?:memory:|\/files\/)(.*)\?/.exec(`${data.url}`)?.[1] ?? '', bytes);
  return `${data.id}`;
}

/** @returns the id of the new job */
export async function requestImport(
  api: TestApi,
  project: string,
  file: string | Uint8Array,
  key?: string,
): Promise<string> {
  const uploadId = await upload(api, project, typeof file === 'string' ? Buffer.from(file) : file);
  const response = await api.call('POST', `/projects/${project}/conversations/import-file`, {
    body: { uploadId },
    ...(key && { key }),
  });
  if (response.status !== 202) throw new Error(response.text);
  return `${response.data.id}`;
}

/** @returns the job, which has ended */
export async function importNow(
  api: TestApi,
  project: string,
  file: string | Uint8Array,
  limits?: FileLimits,
): Promise<Json> {
  const job = await requestImport(api, project, file);
  await runImportJob(api, project, job, limits);
  return (await api.call('GET', `/projects/${project}/jobs/${job}`)).data;
}

/** @returns the files of an export, one after the other, as they are */
export const zipped = (lines: readonly Json[]): Uint8Array => gzipSync(textOf(lines));
