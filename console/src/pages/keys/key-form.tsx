/** The fields of a new key, or of one that is changed. It offers only what the signed-in credential may grant. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey, Me, Usage } from '../../../../clients/typescript/src/index.ts';
import { Loading } from '../../parts/basics.tsx';
import { Field } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ProjectPicker } from '../../parts/project-picker.tsx';
import { useLoad } from '../../request/use-load.ts';
import { platform, session } from '../../session/session.ts';
import type { KeyDraft } from './draft.ts';
import { grantableLifetimes, limitsAbove, maxLimits } from './grants.ts';
import { LimitFields, perText } from './limit-fields.tsx';
import { ScopePicker } from './scope-picker.tsx';

type Props = {
  draft: KeyDraft;
  /** Whether the key exists already: its projects stay. */
  isChange: boolean;
  isPending: boolean;
  action: string;
  onSubmit: (draft: KeyDraft) => void;
  onClose: () => void;
  /** The failure of the last attempt. */
  children: ComponentChildren;
};

/** The credential's own addresses and limits, which bound what it grants. */
const loadOwn = async (me: Me, signal: AbortSignal): Promise<{ own: ApiKey | undefined; usage: Usage }> => {
  const [own, usage] = await Promise.all([
    me.kind === 'api_key' ? platform().apiKeys.me({ signal }) : undefined,
    platform().usage.get({ signal }),
  ]);
  return { own, usage };
};

export function KeyForm(props: Props) {
  const me = session.value?.me;
  const loaded = useLoad(
    (signal) => (me ? loadOwn(me, signal) : Promise.reject(new Error('signed out'))),
    [],
  );
  if (loaded.error !== undefined) return <Problem error={loaded.error} onRepeat={loaded.reload} />;
  if (!loaded.data || !me) return <Loading />;
  return <Fields {...props} me={me} {...loaded.data} />;
}

type FieldsProps = Props & { me: Me; own: ApiKey | undefined; usage: Usage };

function Fields({
  isChange,
  isPending,
  action,
  onSubmit,
  onClose,
  children,
  me,
  own,
  usage,
  ...rest
}: FieldsProps) {
  const lifetimes = grantableLifetimes(me, Date.now());
  const [draft, setDraft] = useState<KeyDraft>(() => {
    const { expiresIn } = rest.draft;
    return { ...rest.draft, expiresIn: lifetimes.some(([value]) => value === expiresIn) ? expiresIn : '' };
  });
  const set = (changes: Partial<KeyDraft>) => setDraft({ ...draft, ...changes });
  const above = limitsAbove(me, own?.rateLimit, usage.rateLimits.parents);
  const isComplete = draft.scopes.length > 0 && (draft.projectIds === null || draft.projectIds.length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onSubmit(draft);
      }}
    >
      <Field label="Name" hint="Says who uses the key, such as the name of a service.">
        {(id) => (
          <input
            id={id}
            required
            maxLength={100}
            autocomplete="off"
            value={draft.name}
            onInput={(event) => set({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <ScopePicker value={draft.scopes} onChange={(scopes) => set({ scopes })} />
      <Field label="Expires" hint={me.expiresAt ? 'Not later than your own credential.' : undefined}>
        {(id) => (
          <select
            id={id}
            value={draft.expiresIn}
            onChange={(event) => set({ expiresIn: event.currentTarget.value })}
          >
            <option value="">
              {isChange
                ? 'as now'
                : me.expiresAt
                  ? 'with your credential, in 90 days at most'
                  : 'in 90 days (the default)'}
            </option>
            {lifetimes.map(([value, label]) => (
              <option key={value} value={value}>
                in {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {!isChange && (
        <ProjectPicker
          label="The projects that the key can access"
          value={draft.projectIds}
          onChange={(projectIds) => set({ projectIds })}
        />
      )}
      <details open={draft.addresses !== '' || draft.requests !== ''}>
        <summary>Addresses and limit of requests</summary>
        <Field
          label="Allowed addresses"
          hint={
            own?.allowedCidrs
              ? `Blocks within ${own.allowedCidrs.join(', ')}, one in each line. Empty: all of these.`
              : 'Blocks of addresses, one in each line, such as 203.0.113.0/24. Empty: everywhere.'
          }
        >
          {(id) => (
            <textarea
              id={id}
              rows={2}
              spellcheck={false}
              value={draft.addresses}
              onInput={(event) => set({ addresses: event.currentTarget.value })}
            />
          )}
        </Field>
        {above.length < maxLimits && (
          <LimitFields draft={draft} set={set} ownLimit={own?.rateLimit ?? null} />
        )}
        {above.length > 0 && (
          <p class="quiet">
            Its requests also count in{' '}
            {above
              .map(
                ({ keyId, rateLimit }) =>
                  `${rateLimit.requests} ${perText[rateLimit.per]} of ${keyId === me.id ? 'your key' : `key …${keyId.slice(-6)}`}`,
              )
              .join(', and in ')}
            .
          </p>
        )}
      </details>
      {children}
      <p class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={isPending || !isComplete}>
          {isPending ? 'Working …' : action}
        </button>
      </p>
    </form>
  );
}
