import { encodeStep } from '../lib/knowledge/jobs/encode-step.ts';
import { isStepPlace } from '../lib/knowledge/store/encoding-steps.ts';
import { defineWaitingWorker } from '../lib/schedule/waiting-worker.ts';
import { forEachNotice } from '../lib/workers/worker.ts';

export default defineWaitingWorker({
  id: 'knowledge-encoder',
  summary: 'Computes the vectors of new pieces of documents, step by step',
  sources: ['jobs'],
  wants: ({ kind, partition }) => kind !== 'REMOVE' && isStepPlace(partition),
  access: {
    jobs: ['GetItem', 'UpdateItem', 'DeleteItem'],
    knowledgeIndexes: ['GetItem', 'BatchGetItem', 'PutItem'],
  },
  // A whole core, and the model takes 260 MB.
  memoryMb: 1769,
  // A step takes at most half a minute on a whole core.
  timeoutSeconds: 300,
  impact: 'Re-indexing jobs with many new pieces fail at their deadline. Search uses the previous index.',
  remedy: 'Start another job: it uses the vectors that are there.',

  handle: forEachNotice(encodeStep),
});
