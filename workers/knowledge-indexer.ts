import { expunge } from '../lib/erasure/expunge-documents.ts';
import { encodeStep } from '../lib/indexing/jobs/encode-step.ts';
import {
  continuesJob,
  endsExtraction,
  getWaitingJob,
  runKnowledgeJob,
} from '../lib/indexing/jobs/knowledge-job.ts';
import { reindex } from '../lib/indexing/jobs/reindex.ts';
import { isStepPlace } from '../lib/indexing/store/encoding-steps.ts';
import { unlessBusy } from '../lib/jobs/busy.ts';
import { wantsJob } from '../lib/jobs/store.ts';
import type { Notice } from '../lib/workers/notice.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

const wantsNew = wantsJob('knowledge.reindex', 'knowledge.expunge');
const isStep = ({ kind, partition }: Pick<Notice, 'kind' | 'partition'>): boolean =>
  kind !== 'REMOVE' && isStepPlace(partition);

const runs = { 'knowledge.reindex': reindex, 'knowledge.expunge': expunge };

export default defineWorker({
  id: 'knowledge-indexer',
  summary:
    'Builds and publishes search indexes, computes their vectors in steps, and removes expunged documents',
  sources: ['jobs', 'knowledge'],
  wants: (change) =>
    change.table === 'knowledge'
      ? endsExtraction(change)
      : wantsNew(change) || continuesJob(change) || isStep(change),
  access: {
    jobs: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    // An expunge removes parts of texts. A re-index ends files that nobody has read in time.
    knowledge: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    knowledgeIndexes: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'ConditionCheckItem',
    ],
    // The fields of metadata that an index has.
    projects: ['GetItem'],
    // An expunge replaces the index versions of deployments.
    avatars: ['BatchGetItem'],
    deployments: ['GetItem', 'Query', 'UpdateItem', 'PutItem'],
    // An expunge erases stored responses that show the document.
    idempotency: ['Query', 'UpdateItem'],
    // An expunge removes the requests of dry runs that have a passage of the document.
    messages: ['Query', 'DeleteItem'],
    // An expunge also erases the document in the data of events and deliveries.
    events: ['Query', 'BatchGetItem', 'BatchWriteItem'],
    deliveries: ['Query', 'GetItem', 'UpdateItem', 'DeleteItem'],
  },
  // An index of 20 000 documents needs a part of this memory, and its vectors and the model need 500 MB. With this much memory,
  // Lambda provides a whole core.
  memoryMb: 2560,
  ends: 'turn',
  whileSuspended: 'waits',
  removes: true,
  // A re-index of 20 000 documents of which 1 % have changed takes 70 s (docs/performance.md), and the building of the version is a
  // part of it.
  longPiece: { maxSeconds: 70, from: 'start' },
  impact:
    'Re-indexing jobs fail at their deadline. Search uses the previous index, without the latest ' +
    'changes. Expunged documents are hidden, but stay stored until they are expunged again.',
  remedy: 'Start another job: it uses the vectors that are there.',

  handle: forEachNotice(async (store, notice, input) => {
    if (isStep(notice)) return encodeStep(store, notice, input);
    const jobId = notice.table === 'knowledge' ? await getWaitingJob(store) : notice.id;
    if (jobId === undefined) return;
    const place = { store, queue: 'knowledge', worker: 'knowledge-indexer' } as const;
    await unlessBusy(place, jobId, notice, input, () => runKnowledgeJob(store, jobId, input, runs));
  }),
});
