/** Documents with files, whose texts are extracted at once. */

import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { extractDocument } from '../../lib/bulk/imports/documents/extract-document.ts';
import { extractText } from '../../lib/extraction/extract.ts';
import type { ExtractionNote } from '../../lib/readers/blocks.ts';
import type { ExtractedText } from '../../lib/readers/types.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { forEachNotice } from '../../lib/workers/worker.ts';
import type { Json, TestApi } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import knowledgeExtractor from '../../workers/knowledge-extractor.ts';
import knowledgeIndexer from '../../workers/knowledge-indexer.ts';
import { upload } from './imports.ts';
import type { Knowledge } from './knowledge.ts';

/** Sends a document with a file. @returns the document */
export async function sendFile(
  api: Pick<Knowledge, 'call' | 'files' | 'path' | 'projectId'>,
  file: Uint8Array,
  externalId = 'file',
  fields: Json = {},
): Promise<Json> {
  const uploadId = await upload(api, api.projectId, file, 'knowledge');
  const { status, text, data } = await api.call('PUT', `${api.path}/by-external-id/${externalId}`, {
    body: { title: 'File', ...fields, uploadId },
  });
  if (status > 201) throw new Error(text);
  return { ...(data.document as Json), uploadId };
}

type InProject = Pick<Knowledge, 'organisationId' | 'projectId' | 'runtime'>;

const notice = ({ organisationId, projectId }: InProject, id: unknown, left: string | undefined): Notice => ({
  table: 'knowledge',
  kind: left === undefined ? 'INSERT' : 'REMOVE',
  tenant: `${organisationId}#live`,
  partition: [projectId, 'extractions'],
  id: `${id}`,
  atMs: 0,
  sequence: '1',
  detail: left === undefined ? {} : { textId: left },
});

/** Gives the notice of a new file to the worker. */
export const extract = (api: InProject, id: unknown, runtime: BaseRuntime = api.runtime): Promise<void> =>
  deliverNotices(runtime, knowledgeExtractor, [notice(api, id, undefined)]);

/** Gives the notice of a new file to the worker, whose reader returns this. */
export const extractAs = (
  api: InProject,
  id: unknown,
  read: (file: Uint8Array, contentType: string | undefined) => ExtractedText,
): Promise<void> => {
  const handle: typeof knowledgeExtractor.handle = forEachNotice((store, notice, input) =>
    extractDocument(store, notice.id, input, async (file, { contentType }) => read(file, contentType)),
  );
  return deliverNotices(api.runtime, { ...knowledgeExtractor, handle }, [notice(api, id, undefined)]);
};

/** Gives the notice that a text or a file is not needed any more to the worker. */
export const leave = (api: InProject, id: unknown, textId: unknown): Promise<void> =>
  deliverNotices(api.runtime, knowledgeExtractor, [notice(api, id, `${textId}`)]);

/** Gives the notice that a file was read to the worker that builds indexes. */
export const wake = (api: InProject, id: unknown): Promise<void> =>
  deliverNotices(api.runtime, knowledgeIndexer, [notice(api, id, 'text')]);

/** Stores of all files of a project that earlier readers have read them, with these notes. */
export async function readBefore(
  { call, runtime, organisationId }: TestApi,
  projectId: string,
  notes: readonly ExtractionNote[],
): Promise<void> {
  const { data } = await call('GET', `/projects/${projectId}/knowledge/documents?limit=100`);
  for (const { id, extraction } of data.items as Json[])
    if (extraction !== null)
      await runtime.client.send(
        new UpdateCommand({
          TableName: runtime.tableNames.knowledge,
          Key: { tenant: `${organisationId}#live#${projectId}`, id },
          UpdateExpression: 'SET extractedBy = :by, extractionNotes = :notes',
          ExpressionAttributeValues: { ':by': 1, ':notes': notes },
        }),
      );
}

/** The worker, without a process for each file. */
export const quickExtractor = {
  ...knowledgeExtractor,
  handle: forEachNotice((store, { id }, input) =>
    extractDocument(store, id, input, (file) => extractText(file)),
  ),
};

/** Extracts the texts of the next files that are sent, as soon as they are sent. */
export async function extractNext(api: TestApi, projectId: string, count: number): Promise<void> {
  const inProject = { ...api, projectId };
  for (let left = count; left > 0; ) {
    const { data } = await api.call('GET', `/projects/${projectId}/knowledge/documents?limit=100`);
    const pending = (data.items as Json[]).filter(({ extraction }) => extraction === 'pending');
    for (const { id } of pending)
      await deliverNotices(api.runtime, quickExtractor, [notice(inProject, id, undefined)]);
    left -= pending.length;
    if (pending.length === 0) await sleep(20);
  }
}
