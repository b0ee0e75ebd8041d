/** An index version without some documents: a new version, made of the old one's texts and nothing else. */

import type { ExpungeResult } from '../jobs/schema.ts';
import type { DocumentReader } from './document-reader.ts';
import { buildIndex, documentsIn } from './index/search-index.ts';
import { advance, type JobRun, mustHaveTime, write, writeParts } from './job-run.ts';
import { readBlocks, versionOf } from './reindex.ts';
import {
  type Block,
  beginBuild,
  completeBuild,
  getIndex,
  getManifest,
  getPublished,
  holdIndexVersion,
  type Manifest,
  type PreparedDocument,
  putBlock,
  putIndex,
  replaceVersion,
} from './store/indexes.ts';

/** In which block the text of a document is that the index refers to. */
type Kept = Map<string, { block: number; fingerprint: string; error: PreparedDocument['error'] }>;

/**
 * Makes a version that does not have the documents, in the place of one that does.
 * @returns how many versions were replaced: one, or none where this one does not have them
 */
export async function removeFromVersion(
  run: JobRun,
  reader: DocumentReader,
  id: string,
  ids: ReadonlySet<string>,
  tally: ExpungeResult,
): Promise<0 | 1> {
  const { projectId, input } = run;
  const { store } = input;
  const manifest = await getManifest(store, projectId, id);
  const bytes = manifest && manifest.ttl === undefined && (await getIndex(store, projectId, manifest));
  if (!manifest || !bytes) return 0;
  const indexed = documentsIn(bytes).map((document) => document.id);
  const kept = await keptOf(run, manifest, new Set(indexed.filter((document) => !ids.has(document))));
  if (!indexed.some((document) => ids.has(document))) {
    await cleanBlocks(run, manifest, kept, ids);
    return 0;
  }
  const version = versionOf([...kept].map(([document, held]) => ({ id: document, ...held })));
  const before = await getManifest(store, projectId, version);
  // The same knowledge may have been published already, or be what another version without the documents is.
  const isThere = before !== undefined && before.ttl === undefined;
  const made = isThere ? undefined : await build(run, reader, manifest, version, kept);
  for (;;) {
    const old = await getManifest(store, projectId, id);
    if (!old || old.ttl !== undefined) return 0;
    const published = await getPublished(store, projectId);
    const writes = [
      ...replaceVersion(store, projectId, old, version, published, input.nowMs()),
      ...(made ? completeBuild(store, projectId, { ...made, ...(old.held && { held: true }) }, before) : []),
      ...(!made && old.held ? holdIndexVersion(store, projectId, version) : []),
    ];
    const changes = { tally: { ...tally, replacedVersions: tally.replacedVersions + 1 } };
    // Refused where a deployment has begun to hold it meanwhile.
    if (await advance(run, changes, writes)) return 1;
  }
}

async function keptOf(
  { projectId, input }: JobRun,
  { build, blocks }: Manifest,
  wanted: ReadonlySet<string>,
): Promise<Kept> {
  const kept: Kept = new Map();
  for await (const { number, block } of readBlocks(input, projectId, build, blocks)) {
    for (const { id, fingerprint, error } of block.documents) {
      // A document that was read twice counts as it was read last.
      if (wanted.has(id)) kept.set(id, { block: number, fingerprint, error });
    }
    mustHaveTime(input);
  }
  return kept;
}

/** A document that was deleted while the version was built is none of the index's, and yet in a block. */
async function cleanBlocks(
  run: JobRun,
  { build, blocks }: Manifest,
  kept: Kept,
  ids: ReadonlySet<string>,
): Promise<void> {
  const { projectId, input } = run;
  for await (const { number, block } of readBlocks(input, projectId, build, blocks)) {
    if (!block.documents.some(({ id }) => ids.has(id))) continue;
    await write(run, [putBlock(input.store, projectId, build, number, withoutOthers(block, number, kept))]);
  }
}

const withoutOthers = ({ documents }: Block, number: number, kept: Kept): Block => ({
  documents: documents.filter(({ id }) => kept.get(id)?.block === number),
});

/** Writes the blocks and the index of the new version. Done again from the start by the next run, with the same outcome. */
async function build(
  run: JobRun,
  reader: DocumentReader,
  { id, build, blocks }: Manifest,
  version: string,
  kept: Kept,
): Promise<Omit<Manifest, 'changedIn'>> {
  const { projectId, job, input } = run;
  const { store } = input;
  const target = `${job.id}.${id}`;
  await write(run, beginBuild(store, projectId, target));
  const builder = buildIndex();
  for await (const { number, block } of readBlocks(input, projectId, build, blocks)) {
    const copy = withoutOthers(block, number, kept);
    await write(run, [putBlock(store, projectId, target, number, copy)]);
    for (const document of copy.documents) {
      const { title, chunks } = document;
      builder.add(document, number, chunks.length > 0 ? await reader.terms({ title, chunks }) : []);
    }
    mustHaveTime(input);
  }
  const parts = await putIndex(store, projectId, target, builder.serialise());
  await writeParts(run, parts);
  return {
    id: version,
    build: target,
    documents: kept.size,
    failed: [...kept.values()].filter(({ error }) => error !== null).length,
    chunks: builder.chunkCount(),
    blocks,
    indexParts: parts.length,
  };
}
