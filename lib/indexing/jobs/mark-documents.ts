/** Stores in each document whether the published index contains it. */

import { markDocument } from '../../documents/store/documents.ts';
import { forEach, type JobRun } from '../../jobs/run.ts';
import { getManifest, getPublished } from '../store/versions.ts';
import { readBuiltDocuments } from './blocks.ts';
import { isFinal, type ListedDocument, listDocuments } from './index-version.ts';

/** Marks the documents that are as the published index contains them. */
export async function markDocuments({ store, input }: JobRun): Promise<void> {
  // What the index contains of a document whose file is not read yet is not its latest version.
  const listed = (await listDocuments(store)).filter(({ extraction }) => extraction !== 'pending');
  const published = await getPublished(store);
  const manifest = published && (await getManifest(store, published.version));
  if (!manifest || areMarked(listed, manifest.failed)) return;
  const built = await readBuiltDocuments(store, manifest.build, manifest.blocks);
  const unmarked = listed.filter(({ id, fingerprint, status }) => {
    const found = built.get(id);
    if (found?.fingerprint !== fingerprint) return false;
    return status === 'pending' || (status === 'failed') !== (found.error !== null);
  });
  await forEach(input, unmarked, async (document) => {
    const error = built.get(document.id)?.error ?? null;
    const status = error ? 'failed' : 'indexed';
    // Fails if the document has changed since: then it is pending again.
    await input.commit([markDocument(store, document, { status, indexVersion: manifest.id, error })]);
  });
}

/** Whether all documents are marked already. This avoids reading the whole build to find those that are not. */
const areMarked = (listed: readonly ListedDocument[], failed: number): boolean =>
  listed.every(({ status, error }) => status !== 'pending' && isFinal(error)) &&
  listed.filter(({ status }) => status === 'failed').length === failed;
