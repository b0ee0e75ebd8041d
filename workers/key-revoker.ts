import { revokeChildren } from '../lib/api-keys/revoke-children.ts';
import { disableWebhooksOf } from '../lib/events/webhooks/store/revoked.ts';
import { defineWorker, type Item } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'key-revoker',
  summary: 'Revokes the keys that a revoked key created, and disables the webhooks of all of them',
  sources: ['apiKeys'],
  wants: ({ before, after }) => isRequested(after) && !isRequested(before),
  access: { apiKeys: ['GetItem', 'Query', 'UpdateItem'], webhooks: ['GetItem', 'Query', 'UpdateItem'] },
  impact:
    'Keys that a revoked key created are not revoked. The holder of such a key can still use it, and their webhooks still send events.',
  remedy:
    'Revoke these keys one by one, and disable the webhooks: `createdBy=key_…` in both lists finds the keys and ' +
    'webhooks that a key created.',

  async handle(notices, input) {
    for (const { id } of notices) await revokeChildren(id, { ...input, disableWebhooksOf });
  },
});

/** Whether a revocation is requested and has not ended. */
const isRequested = (key: Item | undefined) =>
  (key?.childrenRevocation as { finishedAt?: unknown } | undefined)?.finishedAt === null;
