import { revokeChildren } from '../lib/api-keys/revoke-children.ts';
import { disableWebhooksOf } from '../lib/events/webhooks/store/revoked.ts';
import { pauseSourcesOf } from '../lib/knowledge/sources/pause.ts';
import { defineWorker, type Item } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'key-revoker',
  summary:
    'Revokes the keys that a revoked key created, disables the webhooks of all of them, and pauses their sources',
  sources: ['apiKeys'],
  wants: ({ before, after }) => isRequested(after) && !isRequested(before),
  access: {
    apiKeys: ['GetItem', 'Query', 'UpdateItem'],
    webhooks: ['GetItem', 'Query', 'UpdateItem'],
    knowledge: ['GetItem', 'Query', 'UpdateItem'],
  },
  impact:
    'Keys that a revoked key created are not revoked. The holder of such a key can still use it, their webhooks still send events, and their sources are still refreshed.',
  remedy:
    'Revoke these keys one by one, disable the webhooks, and pause the sources: `createdBy=key_…` in the lists of keys and ' +
    'webhooks finds those that a key created.',

  async handle(notices, input) {
    for (const { id } of notices) await revokeChildren(id, { ...input, disableWebhooksOf, pauseSourcesOf });
  },
});

/** Whether a revocation is requested and has not ended. */
const isRequested = (key: Item | undefined) =>
  (key?.childrenRevocation as { finishedAt?: unknown } | undefined)?.finishedAt === null;
