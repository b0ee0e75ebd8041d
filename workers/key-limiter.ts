import { isDeepStrictEqual } from 'node:util';
import { propagateLimits } from '../lib/api-keys/propagate-limits.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'key-limiter',
  summary: 'Passes a changed limit of a key on to the keys that it created',
  sources: ['apiKeys'],
  wants: ({ kind, partition, id, before, after }) =>
    kind === 'MODIFY' &&
    partition.length === 0 &&
    id.startsWith('key_') &&
    // `npm run replay` does not know the previous limit.
    !isDeepStrictEqual(after?.rateLimit, before?.rateLimit),
  access: { apiKeys: ['GetItem', 'Query', 'UpdateItem'] },
  impact:
    'A changed limit of a key does not apply to the keys that it created. These keys keep the earlier limit.',
  remedy: 'Set another limit, then the right limit.',

  async handle(notices, input) {
    for (const { id } of notices) await propagateLimits(id, input);
  },
});
