/** Writes the events of changes. Each write has a derived id, so a run that is killed or repeated adds nothing twice. */

import { getKeyNames } from '../../api-keys/store.ts';
import { commitEach } from '../../workers/commit-each.ts';
import type { Notices } from '../../workers/notice.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import type { Draft } from './drafts.ts';
import { putEvent } from './events.ts';

/** @throws Error if a notice does not say what has changed */
export async function writeEvents(notices: Notices, input: WorkerInput): Promise<void> {
  const { store, auditDays: days } = input;
  const drafts = notices.map(({ detail }) => {
    if (!detail) throw new Error('the notice does not say what has changed');
    return detail as Draft;
  });
  const names = await getKeyNames(
    store,
    drafts.map(({ actorId }) => actorId),
  );
  const writes = drafts.map((draft) =>
    putEvent(store, draft, names.get(draft.actorId) ?? null, { nowMs: input.nowMs(), days }),
  );
  await commitEach(
    input,
    writes.flatMap(({ first }) => first),
  );
  await commitEach(
    input,
    writes.flatMap(({ last }) => last),
  );
}
