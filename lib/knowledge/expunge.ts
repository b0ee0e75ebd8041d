/**
 * Expunging: what the worker does to remove documents from every index version. From the request on, searches leave
 * them out; here, what is stored of them goes. A run may be killed between any two lines, and another one goes on.
 *
 *   claim → each version: a new one without them → deployments and environments point to it → old builds go →
 *   stored responses go → end
 */

import { getAvatarVersions } from '../avatars/store.ts';
import { configHashOf } from '../deployments/config-hash.ts';
import { getDeployment, listDeployments, replaceDeployedIndex } from '../deployments/store/deployments.ts';
import { getEnvironment, listEnvironments, replaceServedIndex } from '../deployments/store/environments.ts';
import { eraseRecordedResponse, pageRecords } from '../idempotency/store.ts';
import { type ExpungeResult, maxShownEnvironments } from '../jobs/schema.ts';
import { timestamp } from '../time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { type DocumentReader, openDocumentReader } from './document-reader.ts';
import { advance, claim, each, type JobRun, Lost, mustHaveTime, write, writeParts } from './job-run.ts';
import { endExpunging, expungeBuild, listExpunging } from './store/expunged.ts';
import {
  forgetBuild,
  type Manifest,
  pageStoredBuilds,
  pageVersions,
  removeParts,
  removeVersion,
} from './store/indexes.ts';
import { removeFromVersion } from './version-without.ts';

const nothing: ExpungeResult = { expunged: 0, replacedVersions: 0, environments: [] };

export async function expunge(projectId: string, jobId: string, input: WorkerInput): Promise<void> {
  const job = await claim(projectId, jobId, input);
  if (!job) return;
  const reader = openDocumentReader();
  const run: JobRun = { projectId, job, input };
  try {
    const ids = await listExpunging(input.store, projectId, job.id);
    const tally = { ...(job.tally ?? nothing) };
    // A run that goes on at the end finds fewer of them left.
    tally.expunged = Math.max(tally.expunged, ids.size);
    await replaceVersions(run, reader, ids, tally);
    const replaced = await replacedVersions(run);
    await pointDeployments(run, replaced);
    await pointEnvironments(run, replaced, tally);
    await removeOldBuilds(run);
    await eraseResponses(run, ids);
    await advance(run, { tally });
    await each(input, [...ids], (id) => input.commit([endExpunging(input.store, projectId, id, job.id)]));
    const finishedAt = timestamp(input.nowMs());
    await advance(run, { status: 'succeeded', result: tally, finishedAt, attempt: '' });
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  } finally {
    await reader.close();
  }
}

async function* versionsOf({ projectId, input }: JobRun, after?: string): AsyncGenerator<Manifest> {
  for (let behind = after; ; ) {
    const { items, next } = await pageVersions(input.store, projectId, behind);
    yield* items;
    if (next === null) return;
    behind = next;
  }
}

const isLive = ({ ttl }: Manifest) => ttl === undefined;

/** Every version that somebody may still read: the published one, and those that deployments hold. */
async function replaceVersions(
  run: JobRun,
  reader: DocumentReader,
  ids: ReadonlySet<string>,
  tally: ExpungeResult,
): Promise<void> {
  const { job } = run;
  let done = job.progress.done;
  const left: string[] = [];
  for await (const manifest of versionsOf(run, job.position)) if (isLive(manifest)) left.push(manifest.id);
  const total = done + left.length;
  for (const id of left) {
    tally.replacedVersions += await removeFromVersion(run, reader, id, ids, tally);
    done += 1;
    // What it has done is no failed attempt.
    await advance(run, { position: id, attempts: 0, tally, progress: { total, done, failed: 0 } });
    mustHaveTime(run.input);
  }
}

/** @returns by version, the one that has taken its place */
async function replacedVersions(run: JobRun): Promise<Map<string, string>> {
  const replaced = new Map<string, string>();
  for await (const { id, replacedBy } of versionsOf(run)) if (replacedBy) replaced.set(id, replacedBy);
  // One that took another's place may have been replaced itself since.
  for (const [id, by] of replaced) {
    let last = by;
    for (let next = replaced.get(last); next !== undefined; next = replaced.get(last)) last = next;
    replaced.set(id, last);
  }
  return replaced;
}

/** All of them, also those that were never current: each can be promoted, or rolled back to. */
async function pointDeployments(run: JobRun, replaced: ReadonlyMap<string, string>): Promise<void> {
  const { projectId, input } = run;
  if (replaced.size === 0) return;
  const filter = { environment: undefined, phase: undefined, shaPrefix: undefined };
  for (let after: string | undefined; ; ) {
    const page = await listDeployments(input.store.inProject(projectId), { ...filter, after, limit: 1000 });
    for (const { id, knowledgeIndexVersion } of page.items) {
      if (!replaced.has(knowledgeIndexVersion ?? '')) continue;
      await pointDeployment(run, id, replaced);
      mustHaveTime(input);
    }
    if (page.next === null) return;
    after = page.next;
  }
}

async function pointDeployment(
  run: JobRun,
  id: string,
  replaced: ReadonlyMap<string, string>,
): Promise<void> {
  const { projectId, input } = run;
  const store = input.store.inProject(projectId);
  for (;;) {
    const deployment = await getDeployment(store, id);
    const version = replaced.get(deployment?.knowledgeIndexVersion ?? '');
    if (!deployment || version === undefined) return;
    const frozen = await getAvatarVersions(store, deployment.avatars);
    const avatars = frozen.map(({ avatarId, ...content }) => ({ ...content, id: avatarId }));
    const changes = { knowledgeIndexVersion: version, configHash: configHashOf(avatars, version) };
    // Refused where its phase has changed meanwhile.
    if (await write(run, [replaceDeployedIndex(store, deployment, changes)])) return;
  }
}

/** Behind the deployments: whatever an environment is pointed to from now on has the new version already. */
async function pointEnvironments(
  run: JobRun,
  replaced: ReadonlyMap<string, string>,
  tally: ExpungeResult,
): Promise<void> {
  const store = run.input.store.inProject(run.projectId);
  if (replaced.size === 0) return;
  for (let after: string | undefined; ; ) {
    const page = await listEnvironments(store, { after, limit: 100 });
    for (const { id, serves } of page.items) {
      if (replaced.has(serves?.knowledgeIndexVersion ?? '')) await pointEnvironment(run, id, replaced, tally);
    }
    mustHaveTime(run.input);
    if (page.next === null) return;
    after = page.next;
  }
}

async function pointEnvironment(
  run: JobRun,
  name: string,
  replaced: ReadonlyMap<string, string>,
  tally: ExpungeResult,
): Promise<void> {
  const { projectId, input } = run;
  const store = input.store.inProject(projectId);
  for (;;) {
    const environment = await getEnvironment(store, name);
    const served = environment?.serves;
    if (!served || !replaced.has(served.knowledgeIndexVersion ?? '')) return;
    const deployment = await getDeployment(store, served.deploymentId);
    if (!deployment) return;
    const { knowledgeIndexVersion, configHash } = deployment;
    const changes = { knowledgeIndexVersion, configHash };
    const write = replaceServedIndex(store, environment, changes, timestamp(input.nowMs()));
    const known = tally.environments.includes(name) || tally.environments.length >= maxShownEnvironments;
    const environments = known ? tally.environments : [...tally.environments, name];
    // The list and what it tells of are written together.
    if (!(await advance(run, { tally: { ...tally, environments } }, [write]))) continue;
    tally.environments = environments;
    return;
  }
}

/** Removes the parts of all builds that are no live version's, and then what knows of them. */
async function removeOldBuilds(run: JobRun): Promise<void> {
  const { projectId, input } = run;
  const { store } = input;
  const live = new Set<string>();
  const old: Manifest[] = [];
  for await (const manifest of versionsOf(run)) {
    if (isLive(manifest)) live.add(manifest.build);
    else old.push(manifest);
  }
  const remove = async (build: string) => {
    // First: no copy may bring back what is removed from here on.
    await write(run, [expungeBuild(store, projectId, build, input.nowMs())]);
    for await (const writes of removeParts(store, projectId, build)) {
      await writeParts(run, writes);
      mustHaveTime(input);
    }
    await write(run, forgetBuild(store, projectId, build));
  };
  for (const { id, build } of old) {
    if (!live.has(build)) await remove(build);
    await write(run, [removeVersion(store, projectId, id)]);
  }
  for (let after: string | undefined; ; ) {
    const { items, next } = await pageStoredBuilds(store, projectId, after);
    for (const { id } of items) if (!live.has(id)) await remove(id);
    if (next === null) return;
    after = next;
  }
}

/** The stored response of a POST that created or changed a document has its title, tags and metadata. */
async function eraseResponses({ projectId, input }: JobRun, ids: ReadonlySet<string>): Promise<void> {
  const { store, commit } = input;
  for (let after: string | undefined; ; ) {
    const { items, next } = await pageRecords(store, projectId, after);
    const named = items.filter(({ data }) => documentsOf(data).some((id) => ids.has(id)));
    await each(input, named, ({ id, changedIn }) =>
      commit([eraseRecordedResponse(store, projectId, `${id}.${changedIn}`)]),
    );
    if (next === null) return;
    mustHaveTime(input);
    after = next;
  }
}

/** @returns the ids of the documents that a response shows. One that only refers to a document is left as it is */
function documentsOf(data = '{}'): string[] {
  const shown = JSON.parse(data) as { id?: string; results?: { document?: { id?: string } }[] };
  return [shown, ...(shown.results ?? []).map(({ document }) => document)].flatMap((of) => of?.id ?? []);
}
