import { evaluateEnded, hasEnded, openEvaluators } from '../lib/evaluations/runs/when-ended.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

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
  ends: 'turn',
  // As in evaluation-runner. Rules take no place.
  longPiece: { maxSeconds: 160, from: 'outside' },
  whileSuspended: 'waits',
  impact: 'Conversations are not evaluated when they end. Their scores are missing in lists and statistics.',
  remedy: 'Start an evaluation run: it gives the missing scores.',

  handle: forEachNotice(async (store, notice, input) => {
    const evaluators = await openEvaluators(store);
    if (evaluators.length > 0) await evaluateEnded(store, notice, evaluators, input);
  }),
});
