/** Points deployments and environments to the replacements of their index versions. */

import { getFrozenAvatars } from '../avatars/deployments/store/config.ts';
import {
  configHashOf,
  getDeployment,
  listDeployments,
  replaceDeployedIndex,
} from '../avatars/deployments/store/deployments.ts';
import {
  getEnvironment,
  listEnvironments,
  replaceServedIndexes,
  type ServedDeployment,
  type StoredEnvironment,
  servedBy,
} from '../avatars/deployments/store/environments.ts';
import { pagesOf } from '../base/pages.ts';
import { timestamp } from '../base/time.ts';
import type { ProjectStore } from '../documents/store/documents.ts';
import { type Manifest, pageVersions } from '../indexing/store/versions.ts';
import { type ExpungeResult, maxShownEnvironments } from '../jobs/results.ts';
import { advance, type JobRun, write } from '../jobs/run.ts';
import { checkTurn } from '../workers/turn.ts';

/** The replacements, by the id of the replaced version. */
type Replacements = ReadonlyMap<string, string>;

export async function readVersions(store: ProjectStore): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for await (const page of pagesOf((after) => pageVersions(store, after))) manifests.push(...page);
  return manifests;
}

export function replacementsIn(manifests: readonly Manifest[]): Replacements {
  const replacements = new Map<string, string>();
  for (const { id, replacedBy } of manifests) if (replacedBy) replacements.set(id, replacedBy);
  // A replacement may have been replaced itself.
  for (const [id, replacedBy] of replacements) {
    let last = replacedBy;
    for (let next = replacements.get(last); next !== undefined; next = replacements.get(last)) last = next;
    replacements.set(id, last);
  }
  return replacements;
}

/** Points all deployments, also those that were never current: each can be promoted or rolled back to. */
export async function pointDeployments(
  run: JobRun<'knowledge.expunge'>,
  replacements: Replacements,
): Promise<void> {
  if (replacements.size === 0) return;
  const filter = { environment: undefined, phase: undefined, shaPrefix: undefined };
  const pages = pagesOf((after) => listDeployments(run.store, { ...filter, after, limit: 1000 }));
  for await (const page of pages) {
    for (const { id, knowledgeIndexVersion } of page) {
      if (!replacements.has(knowledgeIndexVersion ?? '')) continue;
      await pointDeployment(run, id, replacements);
      checkTurn(run.input);
    }
  }
}

async function pointDeployment(
  run: JobRun<'knowledge.expunge'>,
  id: string,
  replacements: Replacements,
): Promise<void> {
  const { store } = run;
  for (;;) {
    const deployment = await getDeployment(store, id);
    const version = replacements.get(deployment?.knowledgeIndexVersion ?? '');
    if (!deployment || version === undefined) return;
    const avatars = await getFrozenAvatars(store, deployment.avatars);
    const changes = { knowledgeIndexVersion: version, configHash: configHashOf(avatars, version) };
    // The write fails if the phase of the deployment has changed since it was read.
    if (await write(run, [replaceDeployedIndex(store, deployment, changes)])) return;
  }
}

/** Must run after `pointDeployments`: from then on, environments are only pointed to new versions. */
export async function pointEnvironments(
  run: JobRun<'knowledge.expunge'>,
  replacements: Replacements,
  tally: ExpungeResult,
): Promise<void> {
  if (replacements.size === 0) return;
  for await (const page of pagesOf((after) => listEnvironments(run.store, { after, limit: 100 }))) {
    for (const environment of page) {
      if (oldIn(environment, replacements).length === 0) continue;
      await pointEnvironment(run, environment.id, replacements, tally);
      checkTurn(run.input);
    }
  }
}

/** @returns what the environment serves with an index that was replaced */
const oldIn = (environment: StoredEnvironment | undefined, replacements: Replacements): ServedDeployment[] =>
  environment
    ? servedBy(environment).filter(({ knowledgeIndexVersion }) =>
        replacements.has(knowledgeIndexVersion ?? ''),
      )
    : [];

async function pointEnvironment(
  run: JobRun<'knowledge.expunge'>,
  name: string,
  replacements: Replacements,
  tally: ExpungeResult,
): Promise<void> {
  const { store, input } = run;
  for (;;) {
    const environment = await getEnvironment(store, name);
    const old = oldIn(environment, replacements);
    if (!environment || old.length === 0) return;
    const found = await Promise.all(old.map(({ deploymentId }) => getDeployment(store, deploymentId)));
    const deployments = found.filter((deployment) => deployment !== undefined);
    if (deployments.length < old.length) return;
    const changes = new Map(
      deployments.map(({ id, knowledgeIndexVersion, configHash }) => [
        id,
        { knowledgeIndexVersion, configHash },
      ]),
    );
    const replacement = replaceServedIndexes(store, environment, changes, timestamp(input.nowMs()));
    const isListed = tally.environments.includes(name) || tally.environments.length >= maxShownEnvironments;
    const environments = isListed ? tally.environments : [...tally.environments, name];
    // One transaction, so the list has exactly the environments that have changed.
    if (!(await advance(run, { tally: { ...tally, environments } }, [replacement]))) continue;
    tally.environments = environments;
    return;
  }
}
