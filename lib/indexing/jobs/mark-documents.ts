/** Stores in each document whether the published index contains it. */

import { markDocument } from '../../documents/store/documents.ts';
import { forEach, type JobRun } from '../../jobs/run.ts';
import { getManifest, getPublished } from '../store/versions.ts';
import { readBuiltDocuments } from './blocks.ts';
import { isFinal, type ListedDocument, listDocuments } from './index-version.ts';

export async function markDocuments({ store, input }: JobRun): Promise<void> {
  // What the index contains of a document whose file is not read yet is not its latest version.
  const documents = (await listDocuments(store)).filter(({ extraction }) => extraction !== 'pending');
  const published = await getPublished(store);
  const manifest = published && (await getManifest(store, published.version));
  if (!manifest || areMarked(documents, manifest.failed)) return;
  const built = await readBuiltDocuments(store, manifest.build, manifest.blocks);
  const unmarked = documents.filter(({ id, fingerprint, status }) => {
    const builtDocument = built.get(id);
    if (builtDocument?.fingerprint !== fingerprint) return false;
    return status === 'pending' || (status === 'failed') !== (builtDocument.error !== null);
  });
  await forEach(input, unmarked, async (document) => {
    const error = built.get(document.id)?.error ?? null;
    const status = error ? 'failed' : 'indexed';
    // The write fails if the document has changed since: then it is pending again.
    await input.commit([markDocument(store, document, { status, indexVersion: manifest.id, error })]);
  });
}

/** Whether all documents are marked already. This avoids reading the whole build to find those that are not. */
const areMarked = (documents: readonly ListedDocument[], failed: number): boolean =>
  documents.every(({ status, error }) => status !== 'pending' && isFinal(error)) &&
  documents.filter(({ status }) => status === 'failed').length === failed;
