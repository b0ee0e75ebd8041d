import { expunge } from '../lib/erasure/expunge-documents.ts';
import { wantsJob } from '../lib/jobs/wants-job.ts';
import { continuesJob, runKnowledgeJob } from '../lib/knowledge/jobs/knowledge-job.ts';
import { reindex } from '../lib/knowledge/jobs/reindex.ts';
import { defineWaitingWorker } from '../lib/schedule/waiting-worker.ts';
import { forEachNotice } from '../lib/workers/worker.ts';

const wantsNew = wantsJob('knowledge.reindex', 'knowledge.expunge');

export default defineWaitingWorker({
  id: 'knowledge-indexer',
  summary: 'Builds and publishes search indexes, and removes expunged documents from them',
  sources: ['jobs'],
  wants: (change) => wantsNew(change) || continuesJob(change),
  access: {
    jobs: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    knowledge: ['Query', 'BatchGetItem', 'UpdateItem'],
    knowledgeIndexes: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'ConditionCheckItem',
    ],
    // An expunge replaces their index versions.
    avatars: ['BatchGetItem'],
    deployments: ['GetItem', 'Query', 'UpdateItem', 'PutItem'],
    // An expunge erases stored responses that show the document.
    idempotency: ['Query', 'UpdateItem'],
    // Also the data of its events and of their deliveries.
    events: ['Query', 'BatchGetItem', 'BatchWriteItem'],
    deliveries: ['Query', 'GetItem', 'UpdateItem', 'DeleteItem'],
  },
  // An index of 20 000 documents needs part of this memory. With this much, Lambda provides a whole core.
  memoryMb: 2048,
  impact:
    'Re-indexing jobs fail at their deadline. Search uses the previous index, without the latest ' +
    'changes. Expunged documents are hidden, but stay stored until they are expunged again.',
  remedy: 'Start another job.',

  handle: forEachNotice((store, { id }, input) =>
    runKnowledgeJob(store, id, input, { 'knowledge.reindex': reindex, 'knowledge.expunge': expunge }),
  ),
});
