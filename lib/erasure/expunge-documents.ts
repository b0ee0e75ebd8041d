/**
 * Removes expunged documents from all index versions. Searches omit them immediately. This job removes their stored text. A run
 * can be killed between any two lines, and the next run continues.
 *
 *   claim → replace each version by one without them → point deployments and environments to it → remove old builds →
 *   erase stored responses, events and deliveries → remove the further parts of their texts → end
 */

import { pagesOf } from '../base/pages.ts';
import { timestamp } from '../base/time.ts';
import type { ProjectStore } from '../documents/store/documents.ts';
import { removeTextParts } from '../documents/store/text-parts.ts';
import { removeFromVersion } from '../indexing/jobs/version-without.ts';
import { endExpunging, listExpunging } from '../indexing/store/expunged.ts';
import { isLive, pageVersions } from '../indexing/store/versions.ts';
import type { ExpungeResult } from '../jobs/results.ts';
import { advance, forEach, type JobRun, runJob } from '../jobs/run.ts';
import { type DocumentReader, openDocumentReader } from '../search/pieces/document-reader.ts';
import { checkRemainingTime, type WorkerInput } from '../workers/worker.ts';
import { commitEach, waitForFence } from '../workers/writes.ts';
import { eraseEvents, eraseResponses, removeOldBuilds } from './remaining-data.ts';
import { pointDeployments, pointEnvironments, readReplacements } from './replacements.ts';

const emptyTally: ExpungeResult = { expunged: 0, replacedVersions: 0, environments: [] };

export async function expunge(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  await runJob(store, jobId, input, ['knowledge.expunge'], expungeAll);
}

async function expungeAll(run: JobRun<'knowledge.expunge'>): Promise<void> {
  const { store, job, input } = run;
  // The documents of the job were removed before it started.
  const claimedMs = input.nowMs();
  const reader = openDocumentReader();
  try {
    const ids = await listExpunging(store, job.id);
    const tally = { ...(job.tally ?? emptyTally) };
    // If an earlier run stopped near the end, fewer documents are left.
    tally.expunged = Math.max(tally.expunged, ids.size);
    await replaceVersions(run, reader, ids, tally);
    const replacements = await readReplacements(store);
    await pointDeployments(run, replacements);
    await pointEnvironments(run, replacements, tally);
    await removeOldBuilds(run);
    await eraseResponses(run, ids);
    await waitForFence(input, claimedMs);
    await eraseEvents(run, ids);
    await advance(run, { tally });
    await forEach(input, [...ids], async (id) => {
      await removeParts(run, id);
      return input.commit([endExpunging(store, id, job.id)]);
    });
    const finishedAt = timestamp(input.nowMs());
    await advance(run, { status: 'succeeded', result: tally, finishedAt, attempt: '' });
  } finally {
    await reader.close();
  }
}

async function removeParts({ store, input }: JobRun<'knowledge.expunge'>, id: string): Promise<void> {
  for await (const writes of removeTextParts(store, id)) await commitEach(input, writes);
}

/** Replaces every version that can still be read: the published version, and the versions that deployments hold. */
async function replaceVersions(
  run: JobRun<'knowledge.expunge'>,
  reader: DocumentReader,
  ids: ReadonlySet<string>,
  tally: ExpungeResult,
): Promise<void> {
  const { store, job } = run;
  const versionIds: string[] = [];
  for await (const page of pagesOf((after) =>
    pageVersions(store, after ?? (job.replacedUpTo || undefined)),
  )) {
    versionIds.push(...page.filter(isLive).map(({ id }) => id));
  }
  let { done } = job.progress;
  const total = done + versionIds.length;
  for (const id of versionIds) {
    tally.replacedVersions += await removeFromVersion(run, reader, id, ids, tally);
    done += 1;
    // A run that makes progress is not a failed attempt.
    await advance(run, { replacedUpTo: id, attempts: 0, tally, progress: { total, done, failed: 0 } });
    checkRemainingTime(run.input);
  }
}
