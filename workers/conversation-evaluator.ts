import { inBatches } from '../lib/base/batches.ts';
import { evaluateEnded, hasEnded, openEvaluators } from '../lib/evaluations/runs/when-ended.ts';
import { defineWorker } from '../lib/workers/worker.ts';

/** Each evaluation may keep a long transcript. */
const maxParallel = 5;

export default defineWorker({
  id: 'conversation-evaluator',
  summary: 'Evaluates conversations that have ended',
  sources: ['conversations'],
  wants: hasEnded,
  access: {
    conversations: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    messages: ['Query'],
    projects: ['GetItem'],
    limits: ['BatchGetItem', 'UpdateItem'],
  },
  models: true,
  memoryMb: 1024,
  batchSize: 10,
  ends: 'turn',
  // The attempts of a call are not stored, so a turn also repeats the calls that it has begun.
  timeoutSeconds: 900,
  whileSuspended: 'waits',
  impact: 'Conversations are not evaluated when they end. Their scores are missing in lists and statistics.',
  remedy: 'Start an evaluation run: it gives the missing scores.',

  async handle(notices, input) {
    const [projectId = ''] = notices[0].partition;
    const store = input.store.inProject(projectId);
    const evaluators = await openEvaluators(store);
    if (evaluators.length === 0) return;
    await inBatches(notices, maxParallel, (notice) => evaluateEnded(store, notice, evaluators, input));
  },
});
