/** One API key: what it may do, who uses it, its secret, and the keys below it. */

import { useEffect, useState } from 'preact/hooks';
import type { ApiKey, ApiKeyWithSecret } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette.tsx';
import { AuditLink } from '../../parts/audit-link.tsx';
import { Badge, Head, Loading, useTitle } from '../../parts/basics.tsx';
import { Problem } from '../../parts/problem.tsx';
import { RotateDialog } from '../../parts/rotate-dialog.tsx';
import { SecretDialog } from '../../parts/secret.tsx';
import { Name } from '../../parts/text.tsx';
import { useLoad } from '../../request/use-load.ts';
import { href, returnHref } from '../../router.ts';
import { can, platform, session } from '../../session/session.ts';
import type { PageParams } from '../registry.ts';
import { ChangeKey } from './change.tsx';
import { ChildrenRevocation, KeyFacts } from './facts.tsx';
import { whyNotRevoke, whyNotRotate } from './grants.ts';
import { RevokeKey } from './revoke.tsx';
import { ScopeList } from './scope-picker.tsx';
import { KeyTree } from './tree.tsx';

export default function KeyPage({ params }: { params: PageParams }) {
  const id = params.key ?? '';
  const loaded = useLoad((signal) => platform().apiKeys.get(id, { signal }), [id]);
  const key = loaded.data;
  useTitle(key ? key.name.slice(0, 100) : 'API key');
  const isRevoking = key?.childrenRevocation?.finishedAt === null;
  // The revocation of the keys below runs in the background, also after a reload of the page.
  useEffect(() => {
    if (!isRevoking) return;
    const timer = setInterval(loaded.reload, 2000);
    return () => clearInterval(timer);
  }, [isRevoking]);
  return (
    <>
      <p>
        <a href={returnHref('/keys')}>API keys</a>
      </p>
      <Problem error={loaded.error} onRepeat={loaded.reload} />
      {key && <Shown value={key} onChanged={loaded.set} onReload={loaded.reload} />}
      {!key && loaded.error === undefined && <Loading />}
    </>
  );
}

type ShownProps = { value: ApiKey; onChanged: (key: ApiKey) => void; onReload: () => void };
type Open = 'change' | 'rotate' | 'revoke';

function Shown({ value, onChanged, onReload }: ShownProps) {
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const [rotated, setRotated] = useState<ApiKeyWithSecret | undefined>(undefined);
  const close = () => setOpen(undefined);
  const me = session.value?.me;
  const isOwn = value.id === me?.id;
  const mayWrite = can('api-keys:write') && value.status === 'active' && me !== undefined;
  const own = useLoad(
    (signal) => (me?.kind === 'api_key' ? platform().apiKeys.me({ signal }) : Promise.resolve(undefined)),
    [],
  );
  const notRotate = me && whyNotRotate(me, own.data, value);
  const notRevoke = me && whyNotRevoke(me, value);
  const actions: readonly (readonly [Open, string, boolean])[] = [
    ['change', 'Change', mayWrite && !notRevoke],
    ['rotate', 'Rotate', mayWrite && !notRotate],
    ['revoke', 'Revoke', mayWrite && !notRevoke],
  ];
  const offered = actions.filter(([, , isAllowed]) => isAllowed);
  useCommands(offered.map(([name, label]) => ({ label: `${label} this key`, run: () => setOpen(name) })));
  return (
    <>
      <Head title={<Name value={value.name} />}>
        <Badge value={value.status} />
        {offered.map(([name, label]) => (
          <button
            key={name}
            type="button"
            class={name === 'revoke' ? 'danger' : ''}
            onClick={() => setOpen(name)}
          >
            {label}
          </button>
        ))}
      </Head>
      {mayWrite && (notRevoke ?? notRotate) && <p class="quiet">{notRevoke ?? notRotate}</p>}
      {isOwn && <p class="notice">You are signed in with this key.</p>}
      <KeyFacts value={value} onReload={onReload} />
      <KeyLog id={value.id} />
      <ChildrenRevocation value={value} />
      <h2>What it can do</h2>
      <ScopeList scopes={value.scopes} />
      <h2>Keys that it created</h2>
      <KeyTree id={value.id} />
      {open === 'change' && (
        <ChangeKey
          value={value}
          onClose={close}
          onChanged={(changed) => {
            close();
            onChanged(changed);
          }}
        />
      )}
      {open === 'rotate' && (
        <RotateDialog
          title="Rotate this key?"
          isOverlapNeeded={isOwn}
          rotate={(body, options) => platform().apiKeys.rotate(value.id, body, options)}
          onClose={close}
          onRotated={(key) => {
            close();
            setRotated(key);
          }}
        >
          <p>
            The key{' '}
            <strong>
              <Name value={value.name} />
            </strong>{' '}
            gets a new secret. Its id, scopes, projects and expiry stay.
            {isOwn &&
              ' You are signed in with this key: sign in with the new secret before the old one ends.'}
          </p>
        </RotateDialog>
      )}
      {open === 'revoke' && (
        <RevokeKey
          value={value}
          onClose={close}
          onRevoked={(key) => {
            close();
            onChanged(key);
            // A revoked credential is signed out by its next request.
            if (isOwn) onReload();
          }}
        />
      )}
      {rotated && (
        <SecretDialog
          title="The new secret"
          secret={rotated.secret}
          onClose={() => {
            const { secret: _, ...key } = rotated;
            setRotated(undefined);
            onChanged(key);
          }}
        />
      )}
    </>
  );
}

/** What was done to the key, and what the key has done. */
const KeyLog = ({ id }: { id: string }) =>
  can('audit:read') && (
    <p class="row">
      <AuditLink id={id} />
      <a href={href('/audit', { actor: id })}>What it changed</a>
    </p>
  );
