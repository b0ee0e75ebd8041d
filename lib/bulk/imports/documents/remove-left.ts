/** Removes what a document does not need any more: the file that was read, and the further parts of a text that was replaced. */

import { contents, contentsPlace } from '../../../documents/store/contents.ts';
import { extractions, getExtraction, isExtraction } from '../../../documents/store/extractions.ts';
import { removeTextParts } from '../../../documents/store/text-parts.ts';
import type { Change } from '../../../workers/change.ts';
import { commitEach } from '../../../workers/commit-each.ts';
import type { WorkerInput } from '../../../workers/worker.ts';
import { removeUpload } from '../uploads/remove.ts';
import { isUploadId, type ProjectStore } from '../uploads/store.ts';

/** The id of a text that a change leaves. An extraction has the id of its upload, as the text has that follows from it. */
export type Left = { textId?: string };

/**
 * @param change of the table `knowledge`
 * @returns what is new, or is left, for a notice; undefined if neither
 */
export function newOrLeft({ kind, partition, before, after }: Change): Left | undefined {
  if (isExtraction(partition)) {
    const old = before && extractions.read(before).uploadId;
    const isSame = old === (after && extractions.read(after).uploadId);
    return isSame ? undefined : { ...(old !== undefined && { textId: old }) };
  }
  if (partition[1] !== contentsPlace || kind === 'INSERT') return undefined;
  const textId = before && contents.read(before).more?.textId;
  const isSame = textId === (after && contents.read(after).more?.textId);
  return isSame || textId === undefined ? undefined : { textId };
}

/** Removes the text unless the document has it, and the upload if the text comes from a file. */
export async function removeLeft(
  store: ProjectStore,
  documentId: string,
  textId: string,
  input: Pick<WorkerInput, 'commit' | 'sleep' | 'files'>,
): Promise<void> {
  const extraction = await getExtraction(store, documentId);
  if (extraction?.uploadId === textId) return;
  const content = await contents.at(store).get(documentId);
  if (content?.more?.textId !== textId) {
    for await (const writes of removeTextParts(store, documentId, textId)) await commitEach(input, writes);
  }
  if (isUploadId(textId)) await removeUpload(store, textId, input);
}
