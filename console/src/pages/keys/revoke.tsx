/** Revokes a key. It says before what this ends: the service counts it with `dryRun`. */

import { useState } from 'preact/hooks';
import { type ApiKey, LastKeyError } from '../../../../clients/typescript/src/index.ts';
import { Loading } from '../../parts/basics.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Name } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform, session } from '../../session/session.ts';

type Props = { value: ApiKey; onRevoked: (key: ApiKey) => void; onClose: () => void };

export function RevokeKey({ value, onRevoked, onClose }: Props) {
  const [withChildren, setWithChildren] = useState(false);
  const [isForced, setIsForced] = useState(false);
  const children = withChildren ? ('true' as const) : ('false' as const);
  const effects = useLoad(
    // The force is asked for later, and changes no effect.
    (signal) =>
      platform().apiKeys.revoke(value.id, { children: 'true', dryRun: 'true', force: 'true' }, { signal }),
    [value.id],
  );
  const revoke = useAction((force: boolean) =>
    platform().apiKeys.revoke(value.id, { children, ...(force && { force: 'true' }) }),
  );
  const finish = (revoked: ApiKey | undefined) => revoked && onRevoked(revoked);
  const isOwn = value.id === session.value?.me.id;
  const isLast = revoke.error instanceof LastKeyError;
  return (
    <Confirm
      title="Revoke this key?"
      action={isLast ? 'Revoke the last key' : 'Revoke'}
      {...(isForced && { typed: value.name })}
      isPending={revoke.isPending}
      error={isLast ? undefined : revoke.error}
      onConfirm={async () => finish(await revoke.run(isForced))}
      onRepeat={async () => finish(await revoke.repeat())}
      onClose={onClose}
    >
      <p>
        <Name value={value.name} /> stops working at once, and for ever. It was last used{' '}
        <Time at={value.lastUsedAt} />
        {value.lastUsedFrom && <> from {value.lastUsedFrom}</>}.
      </p>
      {isOwn && <p class="notice">You are signed in with this key. You will be signed out.</p>}
      {effects.isLoading && <Loading what="Counting what this ends" />}
      <Problem error={effects.error} onRepeat={effects.reload} />
      {effects.data && (
        <Effects
          keys={effects.data.children ?? 0}
          webhooks={effects.data.webhooks}
          withChildren={withChildren}
          onChange={setWithChildren}
        />
      )}
      {isLast && (
        <label class="check notice">
          <input
            type="checkbox"
            checked={isForced}
            onChange={(event) => setIsForced(event.currentTarget.checked)}
          />
          No key would be left that can create keys. Revoke it all the same: only an operator can then make
          another one.
        </label>
      )}
    </Confirm>
  );
}

type EffectsProps = {
  keys: number;
  webhooks: number;
  withChildren: boolean;
  onChange: (withChildren: boolean) => void;
};

function Effects({ keys, webhooks, withChildren, onChange }: EffectsProps) {
  const isAny = keys > 0 || webhooks > 0;
  const end = [keys > 0 && counted(keys, 'active key'), webhooks > 0 && counted(webhooks, 'enabled webhook')]
    .filter(Boolean)
    .join(' and ');
  if (!isAny) return <p>Nothing else ends: no active key and no enabled webhook depends on it.</p>;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={withChildren}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
          Also end what this key and the keys below it have created or set: <strong>{end}</strong>. Do this if
          the key has leaked.
        </span>
      </label>
      <p class="quiet" role="status">
        {withChildren
          ? `${end} end with it. Jobs that have started go on.`
          : `${end} stay on. Jobs that have started go on.`}
      </p>
    </>
  );
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
