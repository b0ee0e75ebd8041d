/** Changes a workload identity: whose tokens it accepts, what they may do, from where, how often and until when. */

import type { WorkloadIdentity } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { change, draftOf, type IdentityDraft } from './draft.ts';
import { IdentityForm } from './form.tsx';

type Props = { value: WorkloadIdentity; onChanged: () => void; onClose: () => void };

export function ChangeIdentity({ value, onChanged, onClose }: Props) {
  const update = useAction(async (draft: IdentityDraft) => {
    const request = change(value, draft, Date.now());
    return request ? await platform().workloadIdentities.update(value.id, request) : value;
  });
  const finish = (changed: WorkloadIdentity | undefined) => changed && onChanged();
  return (
    <Dialog title="Change the identity" onClose={onClose} isWide>
      <p class="quiet">A change takes effect with the next request of the identity.</p>
      <IdentityForm
        draft={draftOf(value)}
        isChange
        action="Save"
        isPending={update.isPending}
        error={update.error}
        onSubmit={async (draft) => finish(await update.run(draft))}
        onClose={onClose}
      >
        <Problem error={update.error} onRepeat={async () => finish(await update.repeat())} />
      </IdentityForm>
    </Dialog>
  );
}
