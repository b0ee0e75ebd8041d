/**
 * A build is what one job makes. Its parts are the index, and blocks with the texts of its pieces. An incomplete build
 * is removed by the next job.
 */

import { dayMs, ttlSeconds } from '../../base/time.ts';
import { projectCollection, type Stored, type Unstored } from '../../dynamodb/collection.ts';
import type { Page, ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { retiredRetentionMs } from './parts.ts';

export type Manifest = Stored<{
  id: string;
  /** The algorithm that built it; without one, the first algorithm. */
  algorithm?: string;
  build: string;
  documents: number;
  /** The fields of metadata that it can filter by. Missing without any, and if it was built before there were any. */
  searchFields?: readonly string[];
  /** The number of documents that failed. */
  failed: number;
  chunks: number;
  blocks: number;
  indexParts: number;
  /** The model of its vectors. Missing if it was built before there were vectors, or where the model does not run. */
  model?: string;
  vectorParts?: number;
  /** A deployment has frozen this version. */
  held?: boolean;
  /** Set when the version is retired or replaced. */
  ttl?: number;
  /** The version that replaced this one because documents were expunged. */
  replacedBy?: string;
}>;
export type NewManifest = Omit<Unstored<Manifest>, 'ttl' | 'replacedBy'>;

/** A build is known for longer than its parts are stored, because TTL deletes up to two days late. */
const knownMs = 30 * dayMs;

type StoredBuild = Stored<{ id: string; ttl?: number }>;

type OpenBuild = Stored<{
  id: string;
  /** The model of its vectors, if it has any. */
  model?: string;
  /** The manifest of the version that it becomes, when only vectors are missing. */
  manifest?: NewManifest;
  /** The number of blocks that are copied, in a build that replaces a version. */
  copied?: number;
}>;

export const openBuilds = projectCollection<OpenBuild>('knowledgeIndexes', () => ['builds']);
/** All builds that may have stored parts. */
export const storedBuilds = projectCollection<StoredBuild>('knowledgeIndexes', () => ['stored']);

/** Records a build before its first part is written, so that no part is forgotten. */
export const beginBuild = (store: ProjectStore, id: string, model?: string): Write<never>[] => [
  openBuilds.at(store).put({ id, ...(model && { model }) }, { condition: { kind: 'any' } }),
  storedBuilds.at(store).put({ id }, { condition: { kind: 'any' } }),
];

/** @returns the incomplete builds; few, because each job removes the earlier ones */
export async function listOpenBuilds(store: ProjectStore): Promise<OpenBuild[]> {
  return (await openBuilds.at(store).page({ limit: 100 })).items;
}

/** Keeps the manifest of the version that a build becomes, until its vectors are there. */
export const prepareBuild = (store: ProjectStore, manifest: NewManifest): Write<never> => {
  const { build: id, model } = manifest;
  return openBuilds
    .at(store)
    .put({ id, ...(model && { model }), manifest }, { condition: { kind: 'present' } });
};

/** Keeps how many blocks of the replaced version are copied. */
export const keepCopied = (store: ProjectStore, id: string, copied: number): Write<never> =>
  openBuilds.at(store).update(id, { copied }, { condition: { kind: 'present' } });

export const getCopied = async (store: ProjectStore, id: string): Promise<number | undefined> => {
  const build = await openBuilds.at(store).get(id);
  return build && (build.copied ?? 0);
};

export const getPrepared = async (store: ProjectStore, id: string): Promise<NewManifest | undefined> =>
  (await openBuilds.at(store).get(id))?.manifest;

/** Ends a build that is complete, or whose parts have been removed. */
export const closeBuild = (store: ProjectStore, id: string): Write<never> =>
  openBuilds.at(store).remove(id, { condition: { kind: 'any' } });

/** Records that the parts of a build have a TTL. */
export const expireBuild = (store: ProjectStore, id: string, nowMs: number): Write<never> =>
  storedBuilds
    .at(store)
    .put({ id, ttl: ttlSeconds(nowMs + retiredRetentionMs + knownMs) }, { condition: { kind: 'any' } });

export const pageStoredBuilds = (
  store: ProjectStore,
  after: string | undefined,
): Promise<Page<StoredBuild>> => storedBuilds.at(store).page({ after, limit: 100, order: 'oldest' });

/** Forgets a build that has no stored parts any more. */
export const forgetBuild = (store: ProjectStore, id: string): Write<never>[] => [
  closeBuild(store, id),
  storedBuilds.at(store).remove(id, { condition: { kind: 'any' } }),
];
