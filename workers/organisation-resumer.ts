import { endsSuspension, release } from '../lib/workers/suspension.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'organisation-resumer',
  summary: 'Releases work that has waited for the end of a suspension',
  sources: ['organisations'],
  wants: endsSuspension,
  access: { schedule: ['Query', 'GetItem', 'PutItem', 'DeleteItem'] },
  ends: 'turn',
  whileSuspended: 'continues',
  impact: 'A suspension has ended, but not for its work. Deliveries and jobs of the organisation still wait.',
  remedy: 'Suspend and resume the organisation again.',

  async handle(_, input) {
    await release(input);
  },
});
