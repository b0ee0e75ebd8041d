/** The actions on a webhook. The page offers only the actions that the credential may do. */

import { useState } from 'preact/hooks';
import type { Delivery, Webhook, WebhookWithSecret } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { can, platform, session } from '../../session/session.ts';
import { Badge, Head } from '../../shared/basics.tsx';
import { Confirm, Dialog } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { RotateDialog } from '../../shared/rotate-dialog.tsx';
import { SecretDialog } from '../../shared/secret.tsx';
import { Name } from '../../shared/text.tsx';
import { missingFor } from './event-picker.tsx';
import { RecoverDialog } from './recover.tsx';
import { stateOf } from './texts.ts';
import { change, draftOf, type WebhookDraft, WebhookForm } from './webhook-form.tsx';

type Props = {
  value: Webhook;
  onChanged: (webhook: Webhook) => void;
  onReload: () => void;
  onTested: (delivery: Delivery) => void;
};

type DialogName = 'change' | 'recover' | 'rotate' | 'delete';

export function WebhookActions({ value, onChanged, onTested }: Props) {
  const [dialog, setDialog] = useState<DialogName | undefined>(undefined);
  const [rotatedWebhook, setRotatedWebhook] = useState<WebhookWithSecret | undefined>(undefined);
  const close = () => setDialog(undefined);
  const test = useAction((_: null, options) => platform().webhooks.test(value.id, options));
  const toggle = useAction((disabled: boolean) => platform().webhooks.update(value.id, { disabled }));
  const finishTest = (delivery: Delivery | undefined) => delivery && onTested(delivery);
  const finishToggle = (webhook: Webhook | undefined) => webhook && onChanged(webhook);
  const finishChange = (webhook: Webhook) => {
    close();
    onChanged(webhook);
  };

  const scopes = session.value?.me.scopes ?? [];
  const mayWrite =
    can('webhooks:write') && (!value.include.includes('messages') || can('conversations:read'));
  // A caller that sets the events or the secret must be able to read the events.
  const lackedScopes = missingFor(scopes, value.eventTypes);
  const maySet = mayWrite && lackedScopes.length === 0;
  const isOn = !value.disabled;
  const actions: readonly (readonly [string, boolean, () => void])[] = [
    ['Send a test', mayWrite && isOn, async () => finishTest(await test.run(null))],
    ['Recover', mayWrite && isOn, () => setDialog('recover')],
    ['Enable', mayWrite && !isOn, async () => finishToggle(await toggle.run(false))],
    ['Disable', mayWrite && isOn, async () => finishToggle(await toggle.run(true))],
    ['Change', maySet, () => setDialog('change')],
    ['Rotate the secret', maySet, () => setDialog('rotate')],
    ['Delete', mayWrite, () => setDialog('delete')],
  ];
  const allowedActions = actions.filter(([, isAllowed]) => isAllowed);
  useCommands(allowedActions.map(([label, , run]) => ({ label: `${label} (this webhook)`, run })));
  const { word, tone } = stateOf(value);
  return (
    <>
      <Head title={<Name value={value.description ?? value.url} />}>
        <Badge value={word} tone={tone} />
        {allowedActions.map(([label, , run]) => (
          <button
            key={label}
            type="button"
            class={label === 'Delete' ? 'danger' : ''}
            disabled={test.isPending || toggle.isPending}
            onClick={run}
          >
            {label}
          </button>
        ))}
      </Head>
      {mayWrite && lackedScopes.length > 0 && (
        <p class="quiet">Your credential cannot change what it sends: it lacks {lackedScopes.join(', ')}.</p>
      )}
      <Problem error={test.error} onRepeat={async () => finishTest(await test.repeat())} />
      <Problem error={toggle.error} onRepeat={async () => finishToggle(await toggle.repeat())} />
      {dialog === 'change' && <ChangeWebhook value={value} onChanged={finishChange} onClose={close} />}
      {dialog === 'recover' && <RecoverDialog value={value} onRequested={finishChange} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhook value={value} onClose={close} />}
      {dialog === 'rotate' && (
        <RotateDialog
          title="Rotate the secret?"
          rotate={(body, options) => platform().webhooks.rotateSecret(value.id, body, options)}
          onClose={close}
          onRotated={(webhook) => {
            close();
            setRotatedWebhook(webhook);
          }}
        >
          <p>
            The webhook{' '}
            <strong>
              <Name value={value.description ?? value.url} />
            </strong>{' '}
            gets a new secret. Its requests get a signature with each of the two secrets, until the old one
            ends.
          </p>
        </RotateDialog>
      )}
      {rotatedWebhook && (
        <SecretDialog
          title="The new secret"
          secret={rotatedWebhook.secret}
          onClose={() => {
            const { secret: _, ...webhook } = rotatedWebhook;
            setRotatedWebhook(undefined);
            onChanged(webhook);
          }}
        />
      )}
    </>
  );
}

type ChangeProps = { value: Webhook; onChanged: (webhook: Webhook) => void; onClose: () => void };

function ChangeWebhook({ value, onChanged, onClose }: ChangeProps) {
  const update = useAction(async (draft: WebhookDraft) => {
    const request = change(value, draft);
    return request ? await platform().webhooks.update(value.id, request) : value;
  });
  const finish = (webhook: Webhook | undefined) => webhook && onChanged(webhook);
  return (
    <Dialog title="Change the webhook" onClose={onClose} isWide>
      <WebhookForm
        draft={draftOf(value)}
        action="Save"
        isPending={update.isPending}
        onSubmit={async (draft) => finish(await update.run(draft))}
        onClose={onClose}
      >
        <Problem error={update.error} onRepeat={async () => finish(await update.repeat())} />
      </WebhookForm>
    </Dialog>
  );
}

function DeleteWebhook({ value, onClose }: { value: Webhook; onClose: () => void }) {
  const remove = useAction((_: null) => platform().webhooks.delete(value.id));
  const finish = (webhook: Webhook | undefined) => webhook && navigate('/webhooks');
  return (
    <Confirm
      title="Delete this webhook?"
      action="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={async () => finish(await remove.run(null))}
      onRepeat={async () => finish(await remove.repeat())}
      onClose={onClose}
    >
      <p>
        <Name value={value.url} /> gets no more events. The webhook, its secret and its deliveries cannot be
        restored. To stop it for a while, disable it instead.
      </p>
    </Confirm>
  );
}
