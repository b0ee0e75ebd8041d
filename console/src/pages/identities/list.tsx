/** The workload identities of the organisation: whose tokens are accepted in place of a key. */

import { useEffect, useState } from 'preact/hooks';
import type { WorkloadIdentity } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { usePages } from '../../request/use-pages.ts';
import { can, platform, session } from '../../session/session.ts';
import { Badge, Empty, Expander, Facts } from '../../shared/basics.tsx';
import { CopyButton, Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { Confirm } from '../../shared/dialog.tsx';
import { AuditLink } from '../../shared/links.tsx';
import { List } from '../../shared/list.tsx';
import { Problem } from '../../shared/problem.tsx';
import { ProjectLinks } from '../../shared/project-link.tsx';
import { Json, Name } from '../../shared/text.tsx';
import { Time, TimeWithDate } from '../../shared/time.tsx';
import { whyNotRevoke } from '../keys/grants.ts';
import { perText } from '../keys/reach-fields.tsx';
import { EndCredential } from '../keys/revoke.tsx';
import { reachText } from '../keys/row.tsx';
import { ScopeList } from '../keys/scope-picker.tsx';
import { ChangeIdentity, CreateIdentity } from './dialogs.tsx';

export function Identities() {
  const [isCreating, setIsCreating] = useState(false);
  const list = usePages<WorkloadIdentity>(
    'identitiesPage',
    (signal) => platform().workloadIdentities.list({ limit: 50 }, { signal }),
    [],
  );
  const mayCreate = can('api-keys:write');
  useCommands(mayCreate ? [{ label: 'Create a workload identity', run: () => setIsCreating(true) }] : []);
  return (
    <section>
      <h2>Workload identities</h2>
      {mayCreate && (
        <p>
          <button type="button" onClick={() => setIsCreating(true)}>
            New identity
          </button>
        </p>
      )}
      <List
        label="Workload identities"
        list={list}
        keyOf={({ id }) => id}
        row={(identity) => <Row value={identity} onChanged={list.reload} />}
        empty={
          <Empty title="There is no workload identity that you may see">
            A job in CI needs no stored key: an identity accepts the tokens that its CI gives it.
          </Empty>
        }
      />
      {isCreating && <CreateIdentity onCreated={list.reload} onClose={() => setIsCreating(false)} />}
    </section>
  );
}

type RowProps = { value: WorkloadIdentity; onChanged: () => void };

const Row = ({ value, onChanged }: RowProps) => (
  <div class="identity">
    <div class="row-grid key-row">
      <span class="main">
        <Name value={value.name} />
      </span>
      <span class="state">
        <Badge value={value.status} />
      </span>
      <span class="quiet reach">{reachText(value)}</span>
      <span class="quiet when">
        used <Time at={value.lastUsedAt} />
      </span>
      <Id value={value.id} />
    </div>
    <p class="quiet">
      <Name value={value.subject} /> of <Name value={value.issuer} />
    </p>
    <Expander summary={`Details of ${value.name.slice(0, 60)}`}>
      {() => <Details value={value} onChanged={onChanged} />}
    </Expander>
  </div>
);

function Details({ value, onChanged }: RowProps) {
  const { rateLimit, childrenRevocation } = value;
  const isEnding = childrenRevocation?.finishedAt === null;
  // The credentials that the identity created end in the background.
  useEffect(() => {
    if (!isEnding) return;
    const timer = setInterval(onChanged, 2000);
    return () => clearInterval(timer);
  }, [isEnding]);
  return (
    <>
      <Actions value={value} onChanged={onChanged} />
      <Facts
        facts={[
          [
            'Audience',
            <>
              <code>{value.audience}</code> <CopyButton text={value.audience} label="Copy the audience" />
            </>,
          ],
          ['Issuer', <Name value={value.issuer} />],
          ['Subject', <Name value={value.subject} />],
          ['Claims', Object.keys(value.claims).length > 0 ? <Json value={value.claims} /> : 'any'],
          [
            'Last used',
            <>
              <Time at={value.lastUsedAt} /> {value.lastUsedFrom && <>from {value.lastUsedFrom}</>}
            </>,
          ],
          value.deletedAt
            ? ['Deleted', <Time at={value.deletedAt} />]
            : ['Expires', <TimeWithDate at={value.expiresAt} />],
          [
            'Created',
            <>
              <Time at={value.createdAt} /> by <Credential id={value.createdBy} />
            </>,
          ],
          ...(value.jwks ? ([['Public keys', keyIdsOf(value.jwks)]] as const) : []),
          ['Projects', <ProjectLinks ids={value.projectIds} />],
          ['Environments', value.environments?.join(', ') ?? 'all'],
          ['Addresses', value.allowedCidrs?.join(', ') ?? 'everywhere'],
          [
            'Limit',
            rateLimit ? `${rateLimit.requests} requests ${perText[rateLimit.per]}` : 'none of its own',
          ],
        ]}
      />
      {childrenRevocation && (
        <p role="status">
          {isEnding ? 'What it created ends in the background' : 'What it created has ended'}:{' '}
          {childrenRevocation.revoked} keys and identities
          {childrenRevocation.skipped > 0 &&
            `; ${childrenRevocation.skipped} stay, because they have a scope that the deleting credential did not have`}
          .
        </p>
      )}
      <ScopeList scopes={value.scopes} />
      {can('audit:read') && (
        <p>
          <AuditLink id={value.id} />
        </p>
      )}
    </>
  );
}

/** @returns the ids of the public keys that the identity stores */
const keyIdsOf = ({ keys }: NonNullable<WorkloadIdentity['jwks']>): string =>
  keys.map(({ kid }) => `${kid}`).join(', ');

function Actions({ value, onChanged }: RowProps) {
  const [dialog, setDialog] = useState<'change' | 'suspend' | 'delete' | undefined>(undefined);
  const update = useAction((status: 'active' | 'suspended') =>
    platform().workloadIdentities.update(value.id, { status }),
  );
  const me = session.value?.me;
  const hasEnded = value.status === 'deleted' || value.status === 'expired';
  if (!me || hasEnded || !can('api-keys:write')) return null;
  const reason = whyNotRevoke(me, value);
  if (reason) return <p class="quiet">{reason.replace('This key', 'This identity')}</p>;
  const finish = (isDone: boolean) => {
    if (!isDone) return;
    setDialog(undefined);
    onChanged();
  };
  const isSuspended = value.status === 'suspended';
  return (
    <>
      <p class="row">
        <button type="button" onClick={() => setDialog('change')}>
          Change
        </button>
        {isSuspended ? (
          <button
            type="button"
            aria-disabled={update.isPending}
            onClick={async () => finish((await update.run('active')) !== undefined)}
          >
            Make active
          </button>
        ) : (
          <button type="button" onClick={() => setDialog('suspend')}>
            Suspend
          </button>
        )}
        <button type="button" class="danger" onClick={() => setDialog('delete')}>
          Delete
        </button>
      </p>
      {isSuspended && (
        <Problem error={update.error} onRepeat={async () => finish((await update.repeat()) !== undefined)} />
      )}
      {dialog === 'change' && (
        <ChangeIdentity value={value} onChanged={() => finish(true)} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'suspend' && (
        <Confirm
          title="Suspend this identity?"
          action="Suspend"
          isPending={update.isPending}
          error={update.error}
          onConfirm={async () => finish((await update.run('suspended')) !== undefined)}
          onRepeat={async () => finish((await update.repeat()) !== undefined)}
          onClose={() => setDialog(undefined)}
        >
          <p>
            The next request of <Name value={value.name} /> is refused, until somebody makes it active again.
            What it has created stays.
          </p>
        </Confirm>
      )}
      {dialog === 'delete' && (
        <EndCredential
          words={{ noun: 'identity', verb: 'Delete' }}
          value={value}
          end={(query, options) => platform().workloadIdentities.delete(value.id, query, options)}
          onEnded={() => finish(true)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
