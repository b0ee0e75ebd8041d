/** Removes what a deleted source has stored, and its documents unless they are kept. A run that is killed is repeated. */

import { untilEmpty } from '../../base/pages.ts';
import { timestamp } from '../../base/time.ts';
import { getDocument, removeDocument } from '../../documents/store/documents.ts';
import { advance, type JobRun, runJob } from '../../jobs/run.ts';
import { checkTurn } from '../../workers/turn.ts';
import type { WorkerInput, Write } from '../../workers/worker.ts';
import { ownDocument } from '../rules/gone.ts';
import { listPages, partitionsOfSource, removePage, type StoredPage } from '../store/pages.ts';
import { endRemoval, getRemoval, type ProjectStore } from '../store/sources.ts';
import { removeUnfinishedTexts } from './unfinished-texts.ts';

type Run = JobRun<'knowledge.remove-source'>;

export async function removeSource(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  await runJob(store, jobId, input, ['knowledge.remove-source'], removeAll);
}

async function removeAll(run: Run): Promise<void> {
  const { store, job, input } = run;
  const removal = await getRemoval(store, job.id);
  let { done, failed } = job.progress;
  let releasedCount = job.released;
  if (removal) {
    const { sourceId, keepDocuments } = removal;
    for await (const batch of untilEmpty(() =>
      listPages(store, sourceId, { after: undefined, limit: 100 }),
    )) {
      for (const page of batch) {
        const documents = await documentsOf(run, page, sourceId);
        const removedCount = keepDocuments ? 0 : documents.length;
        const releasedSoFar = releasedCount + (keepDocuments ? documents.length : 0);
        const progress = { total: 0, done: done + removedCount, failed };
        const writes = [
          ...removePage(store, sourceId, page),
          ...(keepDocuments ? [] : documents.flatMap((one) => removeDocument(store, one))),
        ];
        // Somebody has changed the document: it is no longer managed. The next round reads it again.
        if (!(await advance(run, { progress, released: releasedSoFar, attempts: 0 }, writes))) continue;
        done += removedCount;
        releasedCount = releasedSoFar;
        checkTurn(input);
      }
    }
    await removeUnfinishedTexts(store, sourceId, input);
    await removeRest(run, sourceId);
  }
  await advance(
    run,
    {
      status: 'succeeded',
      progress: { total: done, done, failed },
      result: { removedDocuments: done, releasedDocuments: releasedCount },
      finishedAt: timestamp(input.nowMs()),
      attempt: '',
    },
    [endRemoval(store, job.id)],
  );
}

/** @returns the document of the page, if it still belongs to the source */
async function documentsOf({ store }: Run, page: StoredPage, sourceId: string) {
  const id = ownDocument(page);
  const document = id === null ? undefined : await getDocument(store, id);
  return document?.source === sourceId ? [document] : [];
}

async function removeRest(run: Run, sourceId: string): Promise<void> {
  const { store, input } = run;
  for (const { table, partition } of partitionsOfSource(store, sourceId)) {
    const query = { partition, from: ' ', to: '~', after: undefined, limit: 90 };
    for await (const items of untilEmpty(() => store.page(table, query))) {
      const writes: Write[] = items.map(({ id }) =>
        store.remove(table, id, { partition, condition: { kind: 'any' } }),
      );
      await advance(run, { attempts: 0 }, writes);
      checkTurn(input);
    }
  }
}
