import { getCredentialNames } from '../lib/api-keys/store/credentials.ts';
import { draftOf, readDraft } from '../lib/audit/store/drafts.ts';
import { putEvent } from '../lib/audit/store/events.ts';
import { auditedTables } from '../lib/audit/store/fields.ts';
import { credentialIn } from '../lib/base/caller.ts';
import { defineWorker } from '../lib/workers/worker.ts';
import { commitEach } from '../lib/workers/writes.ts';

export default defineWorker({
  id: 'audit-writer',
  summary: 'Writes the audit log',
  sources: auditedTables,
  wants: () => true,
  detail: draftOf,
  access: { audit: ['PutItem'], apiKeys: ['BatchGetItem'] },
  batchSize: 100,
  batchingSeconds: 1,
  ends: 'short',
  whileSuspended: 'continues',
  impact: 'Changes are missing in the audit log. `npm run redrive` returns their notices.',
  remedy:
    'When the notices are lost, `npm run replay` writes the last change of each resource, without the changed ' +
    'fields. It does not find deliveries that were sent since.',

  /** Each write has a derived id, so a run that is killed or repeated adds nothing twice. */
  async handle(notices, input) {
    const { store, auditDays: days } = input;
    const drafts = notices.map(readDraft);
    const actorIds = drafts.map(({ actorId }) => actorId);
    const names = await getCredentialNames(store, actorIds);
    const writes = drafts.map((draft) =>
      putEvent(store, draft, names.get(credentialIn(draft.actorId)) ?? null, { nowMs: input.nowMs(), days }),
    );
    // A reader finds an event only when everything that leads to the event is written.
    for (const part of ['first', 'last'] as const) {
      await commitEach(
        input,
        writes.flatMap((writesOfEvent) => writesOfEvent[part]),
      );
    }
  },
});
