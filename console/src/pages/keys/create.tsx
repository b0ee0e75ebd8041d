/** Creates a key, and shows its secret once. */

import { useState } from 'preact/hooks';
import type { ApiKeyWithSecret } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { detailsOf } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { SecretDialog } from '../../shared/secret.tsx';
import { creation, emptyDraft, type KeyDraft } from './draft.ts';
import { KeyForm } from './key-form.tsx';

export function CreateKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState<ApiKeyWithSecret | undefined>(undefined);
  const create = useAction((draft: KeyDraft, options) => platform().apiKeys.create(creation(draft), options));
  if (key)
    return (
      <SecretDialog
        title="The key is created"
        secret={key.secret}
        onClose={() => navigate(`/keys/${key.id}`)}
      />
    );
  return (
    <Dialog title="New API key" onClose={onClose} isWide>
      <KeyForm
        draft={emptyDraft}
        isChange={false}
        action="Create"
        isPending={create.isPending}
        onSubmit={async (draft) => setKey(await create.run(draft))}
        onClose={onClose}
        details={detailsOf(create.error)}
      >
        <Problem error={create.error} onRepeat={async () => setKey(await create.repeat())} />
      </KeyForm>
    </Dialog>
  );
}
