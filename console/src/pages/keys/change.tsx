/** Changes the name, the scopes, the expiry, the addresses or the limit of a key. */

import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { detailsOf } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { change, draftOf, type KeyDraft } from './draft.ts';
import { KeyForm } from './key-form.tsx';

type Props = { value: ApiKey; onChanged: (key: ApiKey) => void; onClose: () => void };

export function ChangeKey({ value, onChanged, onClose }: Props) {
  const update = useAction(async (draft: KeyDraft) => {
    const request = change(value, draft);
    return request ? await platform().apiKeys.update(value.id, request) : value;
  });
  const finish = (changed: ApiKey | undefined) => changed && onChanged(changed);
  return (
    <Dialog title="Change the key" onClose={onClose} isWide>
      <p class="quiet">A change takes effect with the next request of the key. Its secret stays.</p>
      <KeyForm
        draft={draftOf(value)}
        isChange
        action="Save"
        isPending={update.isPending}
        onSubmit={async (draft) => finish(await update.run(draft))}
        onClose={onClose}
        details={detailsOf(update.error)}
      >
        <Problem error={update.error} onRepeat={async () => finish(await update.repeat())} />
      </KeyForm>
    </Dialog>
  );
}
