import { rewriteRetention } from '../lib/conversations/rewrite-retention.ts';
import { projects } from '../lib/projects/store.ts';
import type { Worker } from '../lib/workers/worker.ts';

const worker: Worker = {
  id: 'retention-rewriter',
  summary: 'Applies a changed retentionDays to the stored conversations of a project',
  source: 'projects',
  wakes: { on: ['MODIFY'], idPrefix: 'proj_' },
  access: {
    projects: ['GetItem'],
    conversations: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    messages: ['Query', 'UpdateItem'],
  },
  memoryMb: 512,
  timeoutSeconds: 900,
  // One that is long, and out of time, must not bring back others.
  batchSize: 1,
  loses:
    'A change of retentionDays is not applied. Conversations stay stored too long (nobody can read ' +
    'them), or are removed too early.',

  async handle({ before, after }, input) {
    if (!before || !after) return;
    const project = projects.read(after);
    if (project.settings.retentionDays === projects.read(before).settings.retentionDays) return;
    await rewriteRetention(project, input);
  },
};

export default worker;
