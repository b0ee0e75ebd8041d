import { organisations } from '../lib/organisations/store.ts';
import { release } from '../lib/workers/schedule/release.ts';
import { isActive } from '../lib/workers/stop-if-suspended.ts';
import { defineWorker, type Item } from '../lib/workers/worker.ts';

const continueSeconds = 1;

export default defineWorker({
  id: 'organisation-resumer',
  summary: 'Releases work that has waited for the end of a suspension',
  sources: ['organisations'],
  // An organisation without a previous state may have come back by a restore.
  wants: ({ id, before, after }) =>
    id.startsWith('org_') && isActive(organisationIn(after)) && !isActive(organisationIn(before)),
  access: { schedule: ['Query', 'GetItem', 'PutItem', 'DeleteItem'] },
  impact: 'A suspension has ended, but not for its work. Deliveries and jobs of the organisation still wait.',
  remedy: 'Suspend and resume the organisation again.',

  async handle(notices, input) {
    for (const notice of notices) {
      if (!(await release(input)) && !input.later(notice, continueSeconds))
        throw new Error('more work waits than some runs can release');
    }
  },
});

const organisationIn = (item: Item | undefined) => item && organisations.read(item);
