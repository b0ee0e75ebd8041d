/** Finds the version of the index that a request searches. */

import { getEnvironment } from '../../avatars/deployments/store/environments.ts';
import type { ProjectStore } from '../../documents/store/documents.ts';
import type { SearchIndex } from '../../search/index/common/search-index.ts';
import { getManifest, getPublishedIndexVersion, type Manifest } from '../store/versions.ts';
import { loadMeanings, type Meanings, type Wanted } from './meanings.ts';
import { keyOf, loadVersion } from './search.ts';

/** The maximum number of reads of the pointer, if its version has just been replaced. */
const maxAttempts = 3;

/** Why there is no version. `message` replaces the message of the error. */
type Unavailable = { error: 'not_found' | 'not_indexed'; message: string | undefined };

/**
 * @param environment the environment whose current deployment names the version; undefined for the published version
 * @param meaningOptions undefined to search by words only
 * @param search searches this version; undefined if something is no longer stored. `meanings` are undefined if there are none
 * @returns what was found, and in which version, or why there is no version
 */
export async function searchVersion<Found>(
  store: ProjectStore,
  tenant: string,
  environment: string | undefined,
  meaningOptions: Wanted | undefined,
  search: (
    manifest: Manifest,
    index: SearchIndex,
    meanings: Meanings | undefined,
  ) => Promise<Found | undefined>,
): Promise<Unavailable | { error?: never; found: Found; indexVersion: string }> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const environmentItem = environment === undefined ? undefined : await getEnvironment(store, environment);
    if (environment !== undefined && !environmentItem) {
      return { error: 'not_found', message: 'The environment does not exist.' };
    }
    const version = environmentItem
      ? (environmentItem.serves?.knowledgeIndexVersion ?? null)
      : await getPublishedIndexVersion(store);
    if (version === null) break;
    const manifest = await getManifest(store, version);
    const [index, meanings] = await Promise.all([
      manifest && loadVersion(store, tenant, manifest),
      manifest &&
        meaningOptions &&
        loadMeanings(store, keyOf(store, tenant, manifest), manifest, meaningOptions),
    ]);
    const found = manifest && index && (await search(manifest, index, meanings));
    if (found) return { found, indexVersion: version };
    // The version has been replaced since the pointer was read.
  }
  return { error: 'not_indexed', message: undefined };
}
