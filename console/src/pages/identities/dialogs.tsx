/** The dialogs that create and change an identity. */

import { useState } from 'preact/hooks';
import type { WorkloadIdentity } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { CopyButton } from '../../shared/copy.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { change, creation, draftOf, emptyDraft, type IdentityDraft } from './draft.ts';
import { IdentityForm } from './form.tsx';

type Props = { onCreated: () => void; onClose: () => void };

export function CreateIdentity({ onCreated, onClose }: Props) {
  const [identity, setIdentity] = useState<WorkloadIdentity | undefined>(undefined);
  const create = useAction((body: ReturnType<typeof creation>, options) =>
    platform().workloadIdentities.create(body, options),
  );
  const finish = (result: WorkloadIdentity | undefined) => {
    if (!result) return;
    setIdentity(result);
    onCreated();
  };
  if (identity)
    return (
      <Dialog title="The identity is created" onClose={onClose}>
        <p>A token must have this audience (`aud`), and no other. It is not a secret.</p>
        <pre tabIndex={0}>
          <code>{identity.audience}</code>
        </pre>
        <p class="row end">
          <CopyButton text={identity.audience} label="Copy the audience" />
          <button type="button" class="primary" onClick={onClose}>
            Close
          </button>
        </p>
      </Dialog>
    );
  return (
    <Dialog title="New workload identity" onClose={onClose} isWide>
      <IdentityForm
        draft={emptyDraft}
        isChange={false}
        action="Create"
        isPending={create.isPending}
        error={create.error}
        onSubmit={async (draft) => finish(await create.run(creation(draft, Date.now())))}
        onClose={onClose}
      >
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
      </IdentityForm>
    </Dialog>
  );
}

type ChangeIdentityProps = { value: WorkloadIdentity; onChanged: () => void; onClose: () => void };

/** Changes a workload identity: whose tokens it accepts, what they may do, from where, how often and until when. */
export function ChangeIdentity({ value, onChanged, onClose }: ChangeIdentityProps) {
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
