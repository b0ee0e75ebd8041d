/** Documents with files, whose texts are extracted at once. */

import type { Runtime } from '../../lib/http/runtime.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import knowledgeExtractor from '../../workers/knowledge-extractor.ts';
import type { Json } from './api.ts';
import type { Knowledge } from './knowledge.ts';
import { deliverNotices } from './lambda-queue.ts';

/** @returns the id of an upload that has this file */
export async function uploadFile(api: Knowledge, file: Uint8Array, purpose = 'knowledge'): Promise<string> {
  const { status, text, data } = await api.call('POST', `${api.project}/uploads`, {
    body: { bytes: file.length, purpose },
  });
  if (status !== 201) throw new Error(text);
  api.files.set(/memory:(.*)\?/.exec(`${data.url}`)?.[1] ?? '', file);
  return `${data.id}`;
}

/** Sends a document with a file. @returns the document */
export async function sendFile(api: Knowledge, file: Uint8Array, externalId = 'file'): Promise<Json> {
  const uploadId = await uploadFile(api, file);
  const { status, text, data } = await api.call('PUT', `${api.path}/by-external-id/${externalId}`, {
    body: { title: 'File', uploadId },
  });
  if (status > 201) throw new Error(text);
  return { ...(data.document as Json), uploadId };
}

const notice = ({ organisationId, projectId }: Knowledge, id: unknown, left: string | undefined): Notice => ({
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
export const extract = (api: Knowledge, id: unknown, runtime: Runtime = api.runtime): Promise<void> =>
  deliverNotices(runtime, knowledgeExtractor, [notice(api, id, undefined)]);

/** Gives the notice that a text or a file is not needed any more to the worker. */
export const leave = (api: Knowledge, id: unknown, textId: unknown): Promise<void> =>
  deliverNotices(api.runtime, knowledgeExtractor, [notice(api, id, `${textId}`)]);
