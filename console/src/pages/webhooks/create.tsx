/** Creates a webhook, and shows its secret once. */

import { useState } from 'preact/hooks';
import type { WebhookWithSecret } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { SecretDialog } from '../../shared/secret.tsx';
import { creation, emptyDraft, type WebhookDraft, WebhookForm } from './webhook-form.tsx';

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [webhook, setWebhook] = useState<WebhookWithSecret | undefined>(undefined);
  const create = useAction((draft: WebhookDraft, options) =>
    platform().webhooks.create(creation(draft), options),
  );
  if (webhook)
    return (
      <SecretDialog
        title="The webhook is created"
        secret={webhook.secret}
        onClose={() => navigate(`/webhooks/${webhook.id}`)}
      >
        <p>The receiver verifies with this secret that requests come from here.</p>
      </SecretDialog>
    );
  return (
    <Dialog title="New webhook" onClose={onClose} isWide>
      <WebhookForm
        draft={emptyDraft}
        action="Create"
        isPending={create.isPending}
        onSubmit={async (draft) => setWebhook(await create.run(draft))}
        onClose={onClose}
      >
        <Problem error={create.error} onRepeat={async () => setWebhook(await create.repeat())} />
      </WebhookForm>
    </Dialog>
  );
}
