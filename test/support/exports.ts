/** Exports, worked off at once. */

import { gunzipSync } from 'node:zlib';
import { type Limits, runExport } from '../../lib/bulk/exports/export.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { forEachNotice } from '../../lib/workers/worker.ts';
import { type Json, jobNotice, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, endsTurn } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import exportRemover from '../../workers/export-remover.ts';
import exporter from '../../workers/exporter.ts';
import { deliver } from './workers.ts';

export type Part = { number: number; status: string; url: string | null; removedBecause: string | null };

/** The exporter, with parts of another size. */
const exporterOf = (limits: Limits) => ({
  ...exporter,
  handle: forEachNotice((store, { id }, input) => runExport(store, id, input, limits)),
});

/** @param limits a part has two lines or so */
export const smallParts: Limits = { maxPartBytes: 1500, maxParts: 100 };

/** Does the job. @throws the fault of the worker */
export const runJob = (
  { runtime, organisationId }: { runtime: BaseRuntime; organisationId: string },
  project: string,
  job: string,
  limits = smallParts,
): Promise<void> =>
  deliverNotices(runtime, exporterOf(limits), [jobNotice(`${organisationId}#live`, project, job)]);

/** Removes the files with deleted documents, as the worker does. */
export async function removeFilesOfDeleted(api: TestApi): Promise<void> {
  const deleted = (await storedOf(api, 'knowledge')).filter(({ tenant }) => /#deleted$/.test(`${tenant}`));
  await deliver(
    api,
    exportRemover,
    deleted.map((item) => changeRecord(undefined, item)),
  );
}

/** @returns the path of the new export */
export async function requestExport(api: TestApi, project: string, body: Json): Promise<string> {
  const { status, text, data } = await api.call('POST', `/projects/${project}/exports`, { body });
  if (status !== 202) throw new Error(text);
  return `/projects/${project}/exports/${data.id}`;
}

/** @returns the path of the new export, which has ended */
export async function exportNow(api: TestApi, project: string, body: Json, limits?: Limits): Promise<string> {
  const path = await requestExport(api, project, body);
  while (await endsTurn(runJob(api, project, path.split('/').at(-1) ?? '', limits)));
  return path;
}

export const partsOf = async (api: TestApi, path: string): Promise<Part[]> =>
  (await api.call('GET', path)).data.parts as Part[];

/** @returns the file behind a link; undefined if it is gone */
export function fetched(api: TestApi, url: string | null): string | undefined {
  const bytes = api.files.get(/memory:(.*)\?/.exec(url ?? '')?.[1] ?? '');
  return bytes && gunzipSync(bytes).toString();
}

/** @returns the lines of all ready parts */
export async function linesOf(api: TestApi, path: string): Promise<Json[]> {
  const parts = await partsOf(api, path);
  const text = parts.map(({ url }) => fetched(api, url) ?? '').join('');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
}
