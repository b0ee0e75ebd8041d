/** What follows a publication, in turns: documents are marked, and data that is no longer needed gets a TTL. */

import { inBatches } from '../../base/batches.ts';
import { canonicalJson } from '../../base/json.ts';
import { storedNotes } from '../../documents/schema/extraction-note.ts';
import { markDocument } from '../../documents/store/documents.ts';
import { isOpen, jobAt } from '../../jobs/job.ts';
import { advance, type JobRun, write } from '../../jobs/run.ts';
import { getJob } from '../../jobs/store.ts';
import type { ExtractionNote } from '../../readers/blocks.ts';
import { endTurn } from '../../workers/turn.ts';
import { commitEach } from '../../workers/writes.ts';
import { closeBuild, expireBuild, listOpenBuilds } from '../store/builds.ts';
import { expireParts } from '../store/parts.ts';
import { forgetPrevious, getManifest, getPublished, retireVersion } from '../store/versions.ts';
import { readBuiltDocuments } from './blocks.ts';
import { isFinal, type ListedDocument, listDocuments } from './index-version.ts';

type Run = JobRun<'knowledge.reindex'>;

const markedAtOnce = 20;

/** Stores in each document whether the published index contains it. The next turn finds those that are left. */
export async function markDocuments(run: Run): Promise<void> {
  const { store, input } = run;
  const published = await getPublished(store);
  const manifest = published && (await getManifest(store, published.version));
  if (!manifest) return;
  const allDocuments = await listDocuments(store, manifest.searchFields ?? []);
  // What the index contains of a document whose file is not read yet is not its latest version.
  const documents = allDocuments.filter(({ extraction }) => extraction !== 'pending');
  if (areMarked(documents, manifest.failed)) return;
  const built = await readBuiltDocuments(store, manifest.build, manifest.blocks);
  const unmarked = documents.filter((document) => {
    const { id, fingerprint, status } = document;
    const builtDocument = built.get(id);
    if (builtDocument?.fingerprint !== fingerprint) return false;
    if (status === 'pending' || hasOtherFields(document)) return true;
    if (hasOtherNotes(document, builtDocument.notes)) return true;
    return (status === 'failed') !== (builtDocument.error !== null);
  });
  const mark = (document: ListedDocument) => {
    const { error = null, notes = [] } = built.get(document.id) ?? {};
    const status = error ? 'failed' : 'indexed';
    // The write fails if the document has changed since: then it is pending again.
    const further = {
      ...(hasOtherFields(document) && { indexedFields: document.mark }),
      ...(document.isHtml && { extractionNotes: storedNotes(notes) }),
    };
    return input.commit([
      markDocument(store, document, { status, indexVersion: manifest.id, error, ...further }),
    ]);
  };
  await inBatches(unmarked, markedAtOnce, mark, () => checkPosition(run, {}));
}

/** A turn that ends here has made progress, so it is no failed attempt. */
const checkPosition = (run: Run, position: { expired?: string }): Promise<void> =>
  endTurn(run.input, () => advance(run, { ...position, attempts: 0 }));

/** Whether the document is marked with other fields, or other values, than those of the version. */
const hasOtherFields = ({ mark, indexedFields = '' }: ListedDocument): boolean => mark !== indexedFields;

/** Whether the build has left out something else of the markup of a content than the document says. */
const hasOtherNotes = (
  { isHtml, extractionNotes }: ListedDocument,
  notes: readonly ExtractionNote[],
): boolean => isHtml && canonicalJson(extractionNotes ?? null) !== canonicalJson(storedNotes(notes));

/** Whether the document was marked before documents had notes. */
const lacksNotes = ({ isHtml, extractionNotes }: ListedDocument): boolean =>
  isHtml && extractionNotes === undefined;

/** Whether all documents are marked already. This avoids reading the whole build to find those that are not. */
const areMarked = (documents: readonly ListedDocument[], failed: number): boolean =>
  documents.every(
    (document) =>
      document.status !== 'pending' &&
      isFinal(document.error) &&
      !hasOtherFields(document) &&
      !lacksNotes(document),
  ) && documents.filter(({ status }) => status === 'failed').length === failed;

/** Retires the version before the published one, unless a deployment holds it. */
export async function retirePrevious(run: Run): Promise<void> {
  const { store } = run;
  const nowMs = run.input.nowMs();
  const published = await getPublished(store);
  if (!published?.previous) return;
  const manifest = await getManifest(store, published.previous);
  const isRetired = await write(run, retireVersion(store, published.previous, published, nowMs));
  if (manifest && isRetired) await expire(run, manifest.build, nowMs);
  await write(run, [forgetPrevious(store, published)]);
}

/** Removes the incomplete builds of jobs that have ended. */
export async function removeOpenBuilds(run: Run): Promise<void> {
  const { store, job } = run;
  const nowMs = run.input.nowMs();
  for (const { id: build } of await listOpenBuilds(store)) {
    const other = await getJob(store, build);
    const isRunning = other && build !== job.id && isOpen(jobAt(other, nowMs, run.input.organisation));
    if (isRunning) continue;
    await expire(run, build, nowMs);
    await write(run, [closeBuild(store, build)]);
  }
}

/** No run can use the build again. So no write needs a transaction, in which it would cost twice as much. */
async function expire(run: Run, build: string, nowMs: number): Promise<void> {
  const [begun, after] = run.job.expired.split(' ');
  const pages = expireParts(run.store, build, nowMs, begun === build ? after : undefined);
  for await (const { writes, position } of pages) {
    await commitEach(run.input, writes);
    await checkPosition(run, { expired: `${build} ${position}` });
  }
  await write(run, [expireBuild(run.store, build, nowMs)]);
}
