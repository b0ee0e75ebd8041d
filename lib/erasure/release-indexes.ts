/**
 * What follows the deletion of an environment, in turns: its deployments end, and index versions that no other deployment holds are
 * let go. A run looks at the whole project, so that runs of several deletions do not depend on their order, and a repetition finds
 * what is left.
 */

import {
  endDeployment,
  listDeployments,
  type StoredDeployment,
} from '../avatars/deployments/store/deployments.ts';
import {
  hasDeployment,
  listEnvironments,
  type StoredEnvironment,
} from '../avatars/deployments/store/environments.ts';
import { pagesOf } from '../base/pages.ts';
import { again, retry } from '../base/retry.ts';
import type { ProjectStore } from '../documents/store/documents.ts';
import { expireBuild, pageStoredBuilds } from '../indexing/store/builds.ts';
import { expireParts } from '../indexing/store/parts.ts';
import { getPublished, isLive, releaseVersion } from '../indexing/store/versions.ts';
import { checkTurn } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitEach, commitPatiently } from '../workers/writes.ts';
import { readVersions, replacementsIn } from './replacements.ts';

export async function releaseIndexes(store: ProjectStore, input: WorkerInput): Promise<void> {
  await retry(async () => ((await releaseVersions(store, input)) ? undefined : again), {
    failure: () => new Error('lost too many races for the index versions'),
  });
  await expireBuilds(store, input);
}

/** @returns whether no race was lost */
async function releaseVersions(store: ProjectStore, input: WorkerInput): Promise<boolean> {
  // The versions are read first: what begins to hold a version afterwards changes it, and the release fails.
  const manifests = await readVersions(store);
  const published = await getPublished(store);
  const held = await endDeployments(store, input, replacementsIn(manifests));
  let isDone = true;
  for (const manifest of manifests) {
    if (!manifest.held || !isLive(manifest) || held.has(manifest.id)) continue;
    const writes = releaseVersion(store, manifest, published, input.nowMs());
    if (await commitPatiently(input, writes)) isDone = false;
  }
  return isDone;
}

/**
 * Ends the deployments of deleted environments.
 * @returns the versions that the other deployments hold
 */
async function endDeployments(
  store: ProjectStore,
  input: WorkerInput,
  replacements: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const environments = new Map<string, StoredEnvironment>();
  for await (const page of pagesOf((after) => listEnvironments(store, { after, limit: 100 })))
    for (const environment of page) environments.set(environment.id, environment);
  const isKept = (deployment: StoredDeployment) =>
    hasDeployment(environments.get(deployment.environment), deployment);
  const held = new Set<string>();
  const all = { environment: undefined, phase: undefined, shaPrefix: undefined, limit: 1000 };
  for await (const page of pagesOf((after) => listDeployments(store, { ...all, after }))) {
    for (const deployment of page) {
      const version = deployment.knowledgeIndexVersion;
      if (version !== null && isKept(deployment)) held.add(replacements.get(version) ?? version);
    }
    const open = page.filter((deployment) => deployment.phase !== 'superseded' && !isKept(deployment));
    await commitEach(
      input,
      open.map((deployment) => endDeployment(store, deployment)),
    );
    if (open.length > 0) checkTurn(input);
  }
  return held;
}

/** Gives the parts of released versions a TTL. */
async function expireBuilds(store: ProjectStore, input: WorkerInput): Promise<void> {
  const expired = new Set<string>();
  for await (const page of pagesOf((after) => pageStoredBuilds(store, after)))
    for (const { id, ttl } of page) if (ttl !== undefined) expired.add(id);
  const manifests = await readVersions(store);
  const live = new Set(manifests.filter(isLive).map(({ build }) => build));
  for (const manifest of manifests) {
    const { build, replacedBy } = manifest;
    if (isLive(manifest) || replacedBy !== undefined || live.has(build) || expired.has(build)) continue;
    for await (const { writes } of expireParts(store, build, input.nowMs())) {
      await commitEach(input, writes);
      if (writes.length > 0) checkTurn(input);
    }
    await commitPatiently(input, [expireBuild(store, build, input.nowMs())]);
  }
}
