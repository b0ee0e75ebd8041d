/** The page of an API key: its scopes, its use, its secret, the dialog that changes it, and the keys below it. */

import { useEffect, useState } from 'preact/hooks';
import type { ApiKey, ApiKeyWithSecret } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { href, returnHref } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, platform, session } from '../../session/session.ts';
import { Badge, Head, Loading, useTitle } from '../../shared/basics.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { detailsOf } from '../../shared/form.tsx';
import { AuditLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { RotateDialog } from '../../shared/rotate-dialog.tsx';
import { SecretDialog } from '../../shared/secret.tsx';
import { Name } from '../../shared/text.tsx';
import { change, draftOf, type KeyDraft } from './draft.ts';
import { ChildrenRevocation, KeyFacts } from './facts.tsx';
import { whyNotRevoke, whyNotRotate } from './grants.ts';
import { KeyForm } from './key-form.tsx';
import { RevokeKey } from './revoke.tsx';
import { KeyTree } from './row.tsx';
import { ScopeList } from './scope-picker.tsx';

export default function KeyPage({ params }: { params: PageParams }) {
  const id = params.key ?? '';
  const request = useLoad((signal) => platform().apiKeys.get(id, { signal }), [id]);
  const key = request.data;
  useTitle(key ? key.name.slice(0, 100) : 'API key');
  const isRevoking = key?.childrenRevocation?.finishedAt === null;
  // The revocation of the keys below runs in the background, also after a reload of the page.
  useEffect(() => {
    if (!isRevoking) return;
    const timer = setInterval(request.reload, 2000);
    return () => clearInterval(timer);
  }, [isRevoking]);
  return (
    <>
      <p>
        <a href={returnHref('/keys')}>API keys</a>
      </p>
      <Problem error={request.error} onRepeat={request.reload} />
      {key && <KeyDetails value={key} onChanged={request.set} onReload={request.reload} />}
      {!key && request.error === undefined && <Loading />}
    </>
  );
}

type DetailsProps = { value: ApiKey; onChanged: (key: ApiKey) => void; onReload: () => void };
type DialogName = 'change' | 'rotate' | 'revoke';

function KeyDetails({ value, onChanged, onReload }: DetailsProps) {
  const [dialog, setDialog] = useState<DialogName | undefined>(undefined);
  const [rotatedKey, setRotatedKey] = useState<ApiKeyWithSecret | undefined>(undefined);
  const close = () => setDialog(undefined);
  const me = session.value?.me;
  const isCallerKey = value.id === me?.id;
  const mayWrite = can('api-keys:write') && value.status === 'active' && me !== undefined;
  const callerKey = useLoad(
    (signal) => (me?.kind === 'api_key' ? platform().apiKeys.me({ signal }) : Promise.resolve(undefined)),
    [],
  );
  const rotationProblem = me && whyNotRotate(me, callerKey.data, value);
  const revocationProblem = me && whyNotRevoke(me, value);
  const actions: readonly (readonly [DialogName, string, boolean])[] = [
    ['change', 'Change', mayWrite && !revocationProblem],
    ['rotate', 'Rotate', mayWrite && !rotationProblem],
    ['revoke', 'Revoke', mayWrite && !revocationProblem],
  ];
  const allowedActions = actions.filter(([, , isAllowed]) => isAllowed);
  useCommands(
    allowedActions.map(([name, label]) => ({ label: `${label} this key`, run: () => setDialog(name) })),
  );
  return (
    <>
      <Head title={<Name value={value.name} />}>
        <Badge value={value.status} />
        {allowedActions.map(([name, label]) => (
          <button
            key={name}
            type="button"
            class={name === 'revoke' ? 'danger' : ''}
            onClick={() => setDialog(name)}
          >
            {label}
          </button>
        ))}
      </Head>
      {mayWrite && (revocationProblem ?? rotationProblem) && (
        <p class="quiet">{revocationProblem ?? rotationProblem}</p>
      )}
      {isCallerKey && <p class="notice">You are signed in with this key.</p>}
      <KeyFacts value={value} onReload={onReload} />
      <KeyLog id={value.id} />
      <ChildrenRevocation value={value} />
      <h2>What it can do</h2>
      <ScopeList scopes={value.scopes} />
      <h2>Keys that it created</h2>
      <KeyTree id={value.id} />
      {dialog === 'change' && (
        <ChangeKey
          value={value}
          onClose={close}
          onChanged={(changed) => {
            close();
            onChanged(changed);
          }}
        />
      )}
      {dialog === 'rotate' && (
        <RotateDialog
          title="Rotate this key?"
          isOverlapNeeded={isCallerKey}
          rotate={(body, options) => platform().apiKeys.rotate(value.id, body, options)}
          onClose={close}
          onRotated={(key) => {
            close();
            setRotatedKey(key);
          }}
        >
          <p>
            The key{' '}
            <strong>
              <Name value={value.name} />
            </strong>{' '}
            gets a new secret. Its id, scopes, projects and expiry stay.
            {isCallerKey &&
              ' You are signed in with this key: sign in with the new secret before the old one ends.'}
          </p>
        </RotateDialog>
      )}
      {dialog === 'revoke' && (
        <RevokeKey
          value={value}
          onClose={close}
          onRevoked={(key) => {
            close();
            onChanged(key);
            // A revoked credential is signed out by its next request.
            if (isCallerKey) onReload();
          }}
        />
      )}
      {rotatedKey && (
        <SecretDialog
          title="The new secret"
          secret={rotatedKey.secret}
          onClose={() => {
            const { secret: _, ...key } = rotatedKey;
            setRotatedKey(undefined);
            onChanged(key);
          }}
        />
      )}
    </>
  );
}

/** Links to the changes of the key, and to the changes by the key. */
const KeyLog = ({ id }: { id: string }) =>
  can('audit:read') && (
    <p class="row">
      <AuditLink id={id} />
      <a href={href('/audit', { actor: id })}>What it changed</a>
    </p>
  );

type Props = { value: ApiKey; onChanged: (key: ApiKey) => void; onClose: () => void };

/** Changes the name, the scopes, the expiry, the addresses or the limit of a key. */
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
