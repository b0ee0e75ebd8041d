import { environmentTombstones } from '../lib/avatars/deployments/store/environments.ts';
import { releaseIndexes } from '../lib/erasure/release-indexes.ts';
import { defineWorker, forEachNotice } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'environment-remover',
  summary: 'Ends the deployments of deleted environments, and lets go of their indexes',
  sources: ['deployments'],
  wants: ({ kind, partition }) => kind !== 'REMOVE' && partition[1] === environmentTombstones,
  access: {
    deployments: ['Query', 'UpdateItem'],
    knowledgeIndexes: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
  },
  ends: 'turn',
  whileSuspended: 'continues',
  impact:
    'The indexes of deleted environments stay stored. Staged deployments of these environments keep their phase.',
  remedy: 'Create the environment again, and delete it.',

  handle: forEachNotice((store, _, input) => releaseIndexes(store, input)),
});
