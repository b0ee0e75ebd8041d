import { rewriteRetention } from '../lib/erasure/rewrite-retention.ts';
import { projects } from '../lib/projects/store.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'retention-rewriter',
  summary: 'Applies a changed retentionDays to the stored conversations of a project',
  sources: ['projects'],
  wants: ({ kind, partition, id, before, after }) =>
    kind === 'MODIFY' &&
    partition.length === 0 &&
    id.startsWith('proj_') &&
    after !== undefined &&
    // `npm run replay` does not know the previous value.
    (before === undefined ||
      projects.read(after).settings.retentionDays !== projects.read(before).settings.retentionDays),
  access: {
    projects: ['GetItem'],
    jobs: ['GetItem', 'Query', 'UpdateItem'],
    conversations: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    messages: ['Query', 'UpdateItem'],
  },
  files: ['remove'],
  ends: 'turn',
  whileSuspended: 'continues',
  impact:
    'A change of retentionDays is not applied. Conversations stay stored too long (nobody can read ' +
    'them), or are removed too early.',
  remedy: 'Set another value, then the right value.',

  async handle(notices, input) {
    for (const notice of notices) await rewriteRetention(notice, input);
  },
});
