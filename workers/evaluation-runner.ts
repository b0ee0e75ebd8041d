import { runEvaluation, wantsRun } from '../lib/evaluations/runs/run-evaluation.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'evaluation-runner',
  summary: 'Evaluates conversations: runs, dry runs and previews',
  sources: ['jobs'],
  wants: wantsRun,
  access: {
    apiKeys: ['GetItem'],
    jobs: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    projects: ['GetItem'],
    conversations: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    messages: ['Query'],
    deployments: ['BatchGetItem'],
    limits: ['BatchGetItem', 'UpdateItem'],
    schedule: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  models: true,
  // The worker holds the transcripts of some conversations, and eight requests to models, at the same time.
  memoryMb: 1024,
  ends: 'turn',
  // The client of a model gives up after 75 s (maxCallMs in ask.ts), and a call that may have cost something is repeated once.
  longPiece: { maxSeconds: 160, from: 'start' },
  whileSuspended: 'waits',
  removes: true,
  impact: 'Evaluation runs fail at their deadline. Their scores so far stay.',
  remedy: 'Start another run: it gives the missing scores.',

  handle: forEachNotice(runEvaluation),
});
