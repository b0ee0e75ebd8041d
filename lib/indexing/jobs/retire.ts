/** Gives a TTL to data that is no longer needed: the previously published version, and incomplete builds. */

import { isOpen, jobAt } from '../../jobs/job.ts';
import { type JobRun, write } from '../../jobs/run.ts';
import { getJob } from '../../jobs/store.ts';
import { commitEach } from '../../workers/commit-each.ts';
import { checkRemainingTime } from '../../workers/time-limit.ts';
import { closeBuild, expireBuild, listOpenBuilds } from '../store/builds.ts';
import { expireParts } from '../store/parts.ts';
import { forgetPrevious, getManifest, getPublished, retireVersion } from '../store/versions.ts';

/** Retires the version before the published one, unless a deployment holds it. */
export async function retirePrevious(run: JobRun): Promise<void> {
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
export async function removeOpenBuilds(run: JobRun): Promise<void> {
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
async function expire(run: JobRun, build: string, nowMs: number): Promise<void> {
  for await (const writes of expireParts(run.store, build, nowMs)) {
    await commitEach(run.input, writes);
    checkRemainingTime(run.input);
  }
  await write(run, [expireBuild(run.store, build, nowMs)]);
}
