import { revokeChildren } from '../lib/api-keys/revoke-children.ts';
import { defineWorker, type Item } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'key-revoker',
  summary: 'Revokes the keys that a revoked key created',
  sources: ['apiKeys'],
  wants: ({ before, after }) => isRequested(after) && !isRequested(before),
  access: { apiKeys: ['GetItem', 'Query', 'UpdateItem'] },
  impact: 'Keys that a revoked key created are not revoked. Whoever has one can still use it.',
  remedy: 'Revoke them one by one: `createdBy` of a key says who created it.',

  async handle(notices, input) {
    for (const { id } of notices) await revokeChildren(id, input);
  },
});

/** Whether a revocation is requested and has not ended. */
const isRequested = (key: Item | undefined) =>
  (key?.childrenRevocation as { finishedAt?: unknown } | undefined)?.finishedAt === null;
