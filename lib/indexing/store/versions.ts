/**
 * Versions of a project's search index. A version is a complete build; its id is a hash of what it contains, and it never
 * changes. One pointer names the published version. A version that is no longer published, and that no deployment
 * holds, is removed with its build after 7 days.
 */

import { dayMs, ttlSeconds } from '../../base/time.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { Page, ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { closeBuild, type Manifest, type NewManifest } from './builds.ts';
import { retiredRetentionMs } from './parts.ts';

/** A replaced version is known for this long, so that what still points to it can be moved to its replacement. */
const replacedKnownMs = 30 * dayMs;

export type { Manifest, NewManifest } from './builds.ts';

type Published = Stored<{
  id: typeof publishedId;
  version: string;
  /** The version that was published before, until it is retired with its build. */
  previous: string | null;
}>;

export const versions = projectCollection<Manifest>('knowledgeIndexes', () => ['versions']);
export const publishedVersions = projectCollection<Published>('knowledgeIndexes');

const publishedId = 'published';

export const getManifest = (store: ProjectStore, version: string): Promise<Manifest | undefined> =>
  versions.at(store).get(version);

/** @returns whether a version is neither retired nor replaced */
export const isLive = ({ ttl }: Manifest): boolean => ttl === undefined;

/** @returns the version that is used in place of this one after expunges, or this one; undefined if it is not stored */
export async function findReplacement(store: ProjectStore, version: string): Promise<Manifest | undefined> {
  // Each replacement has fewer documents than the version before it.
  for (let id = version; ; ) {
    const manifest = await getManifest(store, id);
    if (manifest?.replacedBy === undefined) return manifest;
    id = manifest.replacedBy;
  }
}

/** @returns a page of all versions, also retired and replaced ones, in the order of their ids */
export const pageVersions = (store: ProjectStore, after: string | undefined): Promise<Page<Manifest>> =>
  versions.at(store).page({ after, limit: 100, order: 'oldest' });

/**
 * Makes a build a version.
 * @param before a version of the same hash that is retired or replaced
 */
export const completeBuild = (
  store: ProjectStore,
  manifest: NewManifest,
  before: Manifest | undefined,
): Write<never>[] => [
  versions.at(store).put(manifest, { condition: before ? unchanged(before) : { kind: 'absent' } }),
  closeBuild(store, manifest.build),
];

/** Removes a version that has no stored parts any more. */
export const removeVersion = (store: ProjectStore, id: string): Write<never> =>
  versions.at(store).remove(id, { condition: { kind: 'any' } });

export const getPublished = (store: ProjectStore): Promise<Published | undefined> =>
  publishedVersions.at(store).get(publishedId);

/** @returns the published version; null before the first */
export const getPublishedIndexVersion = async (store: ProjectStore): Promise<string | null> =>
  (await getPublished(store))?.version ?? null;

/** Moves the pointer that readers use to find the index. */
export const publishVersion = (
  store: ProjectStore,
  version: string,
  before: Published | undefined,
): Write<never> =>
  publishedVersions
    .at(store)
    .put(
      { id: publishedId, version, previous: before?.version ?? null },
      { condition: before ? unchanged(before) : { kind: 'absent' } },
    );

/**
 * Replaces a version, also where the pointer names it. From then on, no deployment can hold the old version. Fails if a
 * deployment has begun to hold it since it was read.
 */
export function replaceVersion(
  store: ProjectStore,
  manifest: Manifest,
  replacedBy: string,
  published: Published | undefined,
  nowMs: number,
): Write<never>[] {
  const { id } = manifest;
  const ttl = ttlSeconds(nowMs + replacedKnownMs);
  const writes = [versions.at(store).update(id, { replacedBy, ttl }, { condition: unchanged(manifest) })];
  if (!published || (published.version !== id && published.previous !== id)) return writes;
  const version = published.version === id ? replacedBy : published.version;
  const previous = published.previous === id || published.previous === version ? null : published.previous;
  const pointer = { id: publishedId, version, previous } as const;
  return [...writes, publishedVersions.at(store).put(pointer, { condition: unchanged(published) })];
}

/** Keeps the version for a deployment. Fails if the version has been retired or replaced. */
export const pinIndexVersion = (store: ProjectStore, version: string): Write<never> =>
  versions.at(store).update(version, { held: true }, { condition: { kind: 'lacks', attribute: 'ttl' } });

/** Fails once the version has been retired or replaced: what shows texts of it is stored before that, or not at all. */
export const requireLiveVersion = (store: ProjectStore, version: string): Write<never> =>
  versions.at(store).check(version, { condition: { kind: 'lacks', attribute: 'ttl' } });

/** Fails once the version has been replaced: an expunge erases stored responses after that. */
export const requireUnreplaced = (store: ProjectStore, version: string): Write<never> =>
  versions.at(store).check(version, { condition: { kind: 'lacks', attribute: 'replacedBy' } });

/** @returns whether its parts may be removed at any time */
export const isRetired = ({ ttl, replacedBy }: Manifest, nowMs: number): boolean =>
  ttl !== undefined && replacedBy === undefined && ttl <= ttlSeconds(nowMs);

/**
 * Lets go of a version that no deployment holds: unless it is published, it gets a TTL. Fails if a deployment has begun to hold it
 * since it was read, or if another version was published.
 */
export const releaseVersion = (
  store: ProjectStore,
  manifest: Manifest,
  published: Published | undefined,
  nowMs: number,
): Write<never>[] => [
  publishedVersions
    .at(store)
    .check(publishedId, { condition: published ? unchanged(published) : { kind: 'absent' } }),
  versions
    .at(store)
    .update(
      manifest.id,
      published?.version === manifest.id ? {} : { ttl: ttlSeconds(nowMs + retiredRetentionMs) },
      { condition: unchanged(manifest), drop: ['held'] },
    ),
];

/** Gives a version a TTL. Fails if a deployment holds it or if it has been published again. */
export const retireVersion = (
  store: ProjectStore,
  version: string,
  published: Published,
  nowMs: number,
): Write<never>[] => [
  publishedVersions.at(store).check(publishedId, { condition: unchanged(published) }),
  versions
    .at(store)
    .update(
      version,
      { ttl: ttlSeconds(nowMs + retiredRetentionMs) },
      { condition: { kind: 'lacks', attribute: 'held' } },
    ),
];

/** Records that the previous version is retired with its build. */
export const forgetPrevious = (store: ProjectStore, published: Published): Write<never> =>
  publishedVersions.at(store).update(publishedId, { previous: null }, { condition: unchanged(published) });
