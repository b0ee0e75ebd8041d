import { isDeepStrictEqual } from 'node:util';
import { propagateLimits } from '../lib/api-keys/propagate-limits.ts';
import { isCredentialId } from '../lib/api-keys/store/credentials.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'key-limiter',
  summary: 'Passes a changed limit of a key or a workload identity on to those that it created',
  sources: ['apiKeys'],
  wants: ({ kind, partition, id, before, after }) =>
    kind === 'MODIFY' &&
    partition.length === 0 &&
    isCredentialId(id) &&
    // `npm run replay` does not know the previous limit.
    !isDeepStrictEqual(after?.rateLimit, before?.rateLimit),
  access: { apiKeys: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  ends: 'turn',
  whileSuspended: 'continues',
  impact:
    'A changed limit of a key or a workload identity does not apply to those that it created. They keep the earlier limit.',
  remedy: 'Set another limit, then the right limit.',

  async handle(notices, input) {
    for (const { id } of notices) await propagateLimits(id, input);
  },
});
