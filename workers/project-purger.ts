import { awaitPurge, purgeProject } from '../lib/erasure/purge-project.ts';
import { purgesPartition } from '../lib/projects/purges/store.ts';
import { deletedPartition } from '../lib/projects/store.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'project-purger',
  summary: 'Removes everything below a deleted project when it can no longer be restored',
  sources: ['projects'],
  wants({ kind, partition: [kindOfItem], before, after }) {
    if (kindOfItem === deletedPartition) return kind !== 'MODIFY';
    // Each run saves its progress in the same item. Only a request to continue counts.
    return kindOfItem === purgesPartition && after !== undefined && after.run !== before?.run;
  },
  access: {
    projects: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    jobs: ['Query', 'BatchWriteItem'],
    knowledge: ['Query', 'BatchWriteItem'],
    knowledgeIndexes: ['Query', 'BatchWriteItem'],
    avatars: ['Query', 'BatchWriteItem'],
    deployments: ['Query', 'BatchWriteItem'],
    conversations: ['GetItem', 'Query', 'DeleteItem', 'BatchWriteItem'],
    messages: ['Query', 'DeleteItem'],
    conversationSearch: ['GetItem', 'UpdateItem', 'Query', 'BatchWriteItem'],
    conversationStats: ['Query', 'BatchWriteItem'],
    schedule: ['GetItem', 'Query', 'PutItem', 'DeleteItem', 'BatchWriteItem'],
    idempotency: ['Query', 'UpdateItem', 'BatchWriteItem'],
    limits: ['Query', 'PutItem', 'DeleteItem', 'BatchWriteItem'],
    events: ['Query', 'GetItem', 'BatchWriteItem'],
    deliveries: ['Query', 'BatchWriteItem'],
  },
  files: ['remove'],
  ends: 'turn',
  whileSuspended: 'continues',
  impact: 'Deleted projects are not purged. Their data stays stored, but nobody can read it.',
  remedy: 'Run `npm run purge`.',

  async handle(notices, input) {
    for (const { partition, id } of notices) {
      if (partition[0] === deletedPartition) await awaitPurge(id, input);
      else await purgeProject(id, input);
    }
  },
});
