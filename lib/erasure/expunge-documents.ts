/**
 * Removes expunged documents from all index versions. Searches omit them immediately. This job removes their stored text, in
 * turns. A run can be killed between any two lines, and the next turn continues.
 *
 *   claim → replace each version by one without them → point deployments and environments to it → remove old builds →
 *   erase stored responses, events and deliveries → remove the further parts of their texts → end
 */

import { inBatches } from '../base/batches.ts';
import { pagesOf } from '../base/pages.ts';
import { timestamp } from '../base/time.ts';
import type { ProjectStore } from '../documents/store/documents.ts';
import { removeTextParts } from '../documents/store/text-parts.ts';
import { removeFromVersion } from '../indexing/jobs/version-without.ts';
import { endExpunging, listExpunging } from '../indexing/store/expunged.ts';
import { isLive, pageVersions } from '../indexing/store/versions.ts';
import type { ExpungeResult } from '../jobs/results.ts';
import { advance, type JobRun, runJob } from '../jobs/run.ts';
import { pageRequestsWith } from '../replies/store/contents.ts';
import { openDocumentReader } from '../search/pieces/document-reader.ts';
import { type Checkpoint, checkTurn, TurnOver } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitEach } from '../workers/writes.ts';
import { eraseEvents, eraseResponses, removeOldBuilds } from './remaining-data.ts';
import { pointDeployments, pointEnvironments, readVersions, replacementsIn } from './replacements.ts';

type Run = JobRun<'knowledge.expunge'>;

const emptyTally: ExpungeResult = { expunged: 0, replacedVersions: 0, environments: [] };
const documentsAtOnce = 20;

/** The documents, what the job has done so far, and the position in the phase. */
type Expunging = Checkpoint & { ids: ReadonlySet<string>; tally: ExpungeResult };

const phases = {
  versions: replaceVersions,
  async pointers(run: Run, { tally }: Expunging) {
    const replacements = replacementsIn(await readVersions(run.store));
    await pointDeployments(run, replacements);
    await pointEnvironments(run, replacements, tally);
  },
  builds: removeOldBuilds,
  responses: eraseResponses,
  history: eraseEvents,
  requests: removeRequests,
  texts: removeTexts,
} as const satisfies Record<string, (run: Run, expunging: Expunging) => Promise<void>>;
type Phase = keyof typeof phases;
const phaseNames = Object.keys(phases) as Phase[];

/**
 * @param position of the job: `<phase> <after>`. In the first phase, it is the last replaced version, as in earlier versions of the
 *   service
 */
function readPosition(position: string): { phase: Phase; after: string } {
  const phase = phaseNames.find((name) => position.startsWith(`${name} `));
  return phase ? { phase, after: position.slice(phase.length + 1) } : { phase: 'versions', after: position };
}

export async function expunge(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  await runJob(store, jobId, input, ['knowledge.expunge'], expungeAll);
}

async function expungeAll(run: Run): Promise<void> {
  const { store, job, input } = run;
  const ids = await listExpunging(store, job);
  const tally = { ...(job.tally ?? emptyTally) };
  // If an earlier turn ended near the end, fewer documents are left.
  tally.expunged = Math.max(tally.expunged, ids.size);
  const begin = readPosition(job.upTo);
  for (const phase of phaseNames.slice(phaseNames.indexOf(begin.phase))) {
    const save = async (after: string) => {
      await advance(run, { upTo: `${phase} ${after}`, tally, attempts: 0 });
      checkTurn(input);
    };
    if (phase !== begin.phase) await save('');
    const after = phase === begin.phase ? begin.after : '';
    await phases[phase](run, { ids, tally, after, save }).catch(async (error: unknown) => {
      // The first phase stores its own progress. In the others, the next turn does not find again what this one has done.
      if (error instanceof TurnOver && phase !== 'versions') await advance(run, { attempts: 0 });
      throw error;
    });
  }
  const finishedAt = timestamp(input.nowMs());
  await advance(run, { status: 'succeeded', result: tally, finishedAt, attempt: '' });
}

/** Removes the requests of dry runs that have one of the documents. */
async function removeRequests({ store, input }: Run, { ids, after, save }: Expunging): Promise<void> {
  for (let from: string | undefined = after || undefined; ; ) {
    const { writes, next } = await pageRequestsWith(store, ids, from);
    await commitEach(input, writes);
    if (next === null) return;
    from = next;
    await save(next);
  }
}

async function removeTexts(run: Run, { ids }: Expunging): Promise<void> {
  const { store, job, input } = run;
  const removeText = async (id: string) => {
    for await (const writes of removeTextParts(store, id)) await commitEach(input, writes);
    return input.commit([endExpunging(store, id, job.id)]);
  };
  await inBatches([...ids], documentsAtOnce, removeText, () => checkTurn(input));
}

/** Replaces every version that can still be read: the published version, and the versions that deployments hold. */
async function replaceVersions(run: Run, { ids, tally, after: begin }: Expunging): Promise<void> {
  const { store, job } = run;
  const versionIds: string[] = [];
  for await (const page of pagesOf((after = begin || undefined) => pageVersions(store, after))) {
    versionIds.push(...page.filter(isLive).map(({ id }) => id));
  }
  if (versionIds.length === 0) return;
  const reader = openDocumentReader();
  try {
    let { done } = job.progress;
    const total = done + versionIds.length;
    for (const id of versionIds) {
      tally.replacedVersions += await removeFromVersion(run, reader, id, ids, tally);
      done += 1;
      // A turn that makes progress is not a failed attempt.
      await advance(run, { upTo: id, attempts: 0, tally, progress: { total, done, failed: 0 } });
      checkTurn(run.input);
    }
  } finally {
    await reader.close();
  }
}
