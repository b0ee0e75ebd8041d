import { beginProjectPurge, purgeProject } from '../lib/project-purges/purge.ts';
import { purgesPartition } from '../lib/project-purges/store/purges.ts';
import { deletedPartition, deletedProjects } from '../lib/projects/store.ts';
import { secondMs } from '../lib/time.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'project-purger',
  summary: 'Removes everything below a deleted project when it can no longer be restored',
  source: 'projects',
  filter: {
    on: ['INSERT', 'MODIFY', 'REMOVE'],
    idPrefix: 'proj_',
    partitions: [deletedPartition, purgesPartition],
  },
  access: {
    projects: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    jobs: ['Query', 'BatchWriteItem'],
    knowledge: ['Query', 'BatchWriteItem'],
    knowledgeIndexes: ['Query', 'BatchWriteItem'],
    avatars: ['Query', 'BatchWriteItem'],
    deployments: ['Query', 'BatchWriteItem'],
    conversations: ['Query', 'BatchWriteItem'],
    messages: ['Query', 'DeleteItem'],
    conversationSearch: ['Query', 'BatchWriteItem'],
    conversationStats: ['Query', 'BatchWriteItem'],
    idempotency: ['Query', 'UpdateItem', 'BatchWriteItem'],
  },
  impact: 'Deleted projects are not purged. Their data stays stored, but nobody can read it.',
  remedy: 'Run `npm run purge`.',

  async handle({ kind, partition: [kindOfItem], id, before, after }, input) {
    if (kindOfItem === deletedPartition && kind === 'REMOVE' && before) {
      // A restored project leaves this partition before its time.
      const project = deletedProjects.read(before);
      if (project.ttl * secondMs <= input.nowMs()) await beginProjectPurge(project, input);
    }
    // Each run saves its progress in the same item. Only a request to continue counts.
    if (kindOfItem === purgesPartition && after && after.run !== before?.run) await purgeProject(id, input);
  },
});
