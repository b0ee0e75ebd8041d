/** Removes the remaining data of expunged documents: builds that no version uses, stored responses, events and deliveries. */

import { pagesAfter, pagesOf } from '../base/pages.ts';
import { eraseRecordedResponse, pageRecords } from '../idempotency/store.ts';
import { forgetBuild, pageStoredBuilds } from '../indexing/store/builds.ts';
import { expungeBuild } from '../indexing/store/expunged.ts';
import { removeParts } from '../indexing/store/parts.ts';
import { isLive, type Manifest, pageVersions, removeVersion } from '../indexing/store/versions.ts';
import { type JobRun, write, writeParts } from '../jobs/run.ts';
import { type Checkpoint, checkTurn } from '../workers/turn.ts';
import { commitEach, waitForFence } from '../workers/writes.ts';
import { eraseFromHistory } from './erase-history.ts';

/** Removes all builds that no live version uses, and the versions of these builds. */
export async function removeOldBuilds(run: JobRun): Promise<void> {
  const { store } = run;
  const live = new Set<string>();
  const old: Manifest[] = [];
  for await (const page of pagesOf((after) => pageVersions(store, after))) {
    for (const manifest of page) {
      if (isLive(manifest)) live.add(manifest.build);
      else old.push(manifest);
    }
  }
  for (const { id, build } of old) {
    if (!live.has(build)) await removeBuild(run, build);
    await write(run, [removeVersion(store, id)]);
  }
  for await (const page of pagesOf((after) => pageStoredBuilds(store, after))) {
    for (const { id } of page) if (!live.has(id)) await removeBuild(run, id);
  }
}

async function removeBuild(run: JobRun, build: string): Promise<void> {
  const { store, input } = run;
  // The tombstone comes first, so that a copy from a backup cannot bring the parts back.
  await write(run, [expungeBuild(store, build, input.nowMs())]);
  for await (const writes of removeParts(store, build)) {
    await writeParts(run, writes);
    // The next turn does not find them again.
    if (writes.length > 0) checkTurn(input);
  }
  await write(run, forgetBuild(store, build));
}

type Place = Checkpoint & { ids: ReadonlySet<string> };

/** Erases the stored responses to POST requests that show a document: its title, tags and metadata. */
export async function eraseResponses(
  { store, input }: JobRun,
  { ids, after: begin, save }: Place,
): Promise<void> {
  const { projectId } = store;
  const pages = pagesAfter(begin, (after) => pageRecords(store, projectId, after));
  for await (const { items, next } of pages) {
    const records = items.filter(({ data = '{}' }) =>
      [...documentsIn(JSON.parse(data))].some((id) => ids.has(id)),
    );
    await commitEach(
      input,
      records.map(({ id, changedIn }) => eraseRecordedResponse(store, projectId, `${id}.${changedIn}`)),
    );
    if (next !== null) await save(next);
  }
}

/**
 * Reduces the events of the documents to their ids, and removes the responses of receivers to them. The position is
 * `<document>` after a document, and `<document> <position within>` within one.
 */
export async function eraseEvents({ store, job, input }: JobRun, { ids, after, save }: Place): Promise<void> {
  // The documents of the job were removed before it started.
  await waitForFence(input, Date.parse(job.startedAt ?? job.createdAt));
  const [lastId = '', ...within] = after.split(' ');
  const saveAtEnd = async (position: string) => {
    if (input.turn.isOver()) await save(position);
  };
  for (const id of [...ids].sort()) {
    if (id < lastId || (id === lastId && within.length === 0)) continue;
    await eraseFromHistory(store, id, input, {
      after: id === lastId ? within.join(' ') : '',
      save: (next) => saveAtEnd(`${id} ${next}`),
    });
    await saveAtEnd(id);
  }
}

/** Citations are the caller's own texts, and belong to the conversation. */
const citations = 'citations';

/**
 * @param response the response of any endpoint, as JSON
 * @returns the ids of the documents whose title it has, with whatever else it has of them. An id alone only refers to a document
 */
export function documentsIn(response: unknown): Set<string> {
  const ids = new Set<string>();
  // A loop instead of recursion, because a response may have JSON of the caller, in any depth.
  const rest = [response];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.entries(value);
    const isTitled = members.some(([name]) => name === 'title');
    for (const [name, member] of members) {
      if (isTitled && (name === 'id' || name === 'documentId') && typeof member === 'string') ids.add(member);
      if (name !== citations) rest.push(member);
    }
  }
  return ids;
}
