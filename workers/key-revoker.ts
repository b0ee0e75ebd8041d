import { revokeChildren } from '../lib/api-keys/revoke-children.ts';
import { pauseEvaluatorsOf } from '../lib/evaluations/pause.ts';
import { pauseRolloutsOf } from '../lib/rollouts/pause.ts';
import { pauseSourcesOf } from '../lib/sources/pause.ts';
import { disableWebhooksOf } from '../lib/webhooks/store/end-credential.ts';
import { defineWorker, type Item } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'key-revoker',
  summary:
    'Ends the keys and workload identities that an ended key or identity created, disables the webhooks of all of them, and pauses their sources, evaluators and rollouts',
  sources: ['apiKeys'],
  wants: ({ before, after }) => isRequested(after) && !isRequested(before),
  access: {
    apiKeys: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    webhooks: ['GetItem', 'Query', 'UpdateItem'],
    knowledge: ['GetItem', 'Query', 'UpdateItem'],
    conversations: ['GetItem', 'Query', 'UpdateItem', 'PutItem'],
    deployments: ['GetItem', 'Query', 'PutItem'],
  },
  ends: 'turn',
  whileSuspended: 'continues',
  impact:
    'Keys and workload identities that an ended key or identity created do not end. The holder of such a key can still use it, their webhooks still send events, their sources are still refreshed, their evaluators still score conversations, their rollouts still rise, and their exports, refreshes and evaluation runs go on.',
  remedy:
    'Revoke these keys and delete these identities one by one, disable the webhooks, and pause the sources, evaluators and rollouts: `createdBy=key_…` (or `wid_…`) in the lists of ' +
    'keys, workload identities and webhooks finds those that it created.',

  async handle(notices, input) {
    for (const { id } of notices)
      await revokeChildren(id, {
        ...input,
        disableWebhooksOf,
        pauseSourcesOf,
        pauseEvaluatorsOf,
        pauseRolloutsOf,
      });
  },
});

/** Whether a revocation is requested and has not ended. */
const isRequested = (key: Item | undefined) =>
  (key?.childrenRevocation as { finishedAt?: unknown } | undefined)?.finishedAt === null;
