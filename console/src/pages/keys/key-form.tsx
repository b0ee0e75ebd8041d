/** The fields of a new key, or of one that is changed. It offers only what the signed-in credential may grant. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ErrorDetail } from '../../../../clients/typescript/src/index.ts';
import { Loading } from '../../parts/basics.tsx';
import { Field } from '../../parts/dialog.tsx';
import { FormEnd } from '../../parts/form-end.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ProjectPicker } from '../../parts/project-picker.tsx';
import { useLoad } from '../../request/use-load.ts';
import { FormField, messagesAt } from '../avatars/form-field.tsx';
import type { KeyDraft } from './draft.ts';
import { grantableLifetimes } from './grants.ts';
import { loadOwn, type Own, ReachFields } from './reach-fields.tsx';
import { ScopePicker } from './scope-picker.tsx';

type Props = {
  draft: KeyDraft;
  /** Whether the key exists already: its projects stay. */
  isChange: boolean;
  isPending: boolean;
  action: string;
  onSubmit: (draft: KeyDraft) => void;
  onClose: () => void;
  /** What the API said about the last attempt. */
  details: readonly ErrorDetail[];
  /** The failure of the last attempt. */
  children: ComponentChildren;
};

export function KeyForm(props: Props) {
  const loaded = useLoad(loadOwn, []);
  if (loaded.error !== undefined) return <Problem error={loaded.error} onRepeat={loaded.reload} />;
  if (!loaded.data) return <Loading />;
  return <Fields {...props} {...loaded.data} />;
}

type FieldsProps = Props & Own;

function Fields({
  isChange,
  isPending,
  action,
  onSubmit,
  onClose,
  details,
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
  const isComplete = draft.scopes.length > 0 && (draft.projectIds === null || draft.projectIds.length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onSubmit(draft);
      }}
    >
      <FormField
        label="Name"
        messages={messagesAt(details, ['name'])}
        hint="Says who uses the key, such as the name of a service."
      >
        {(control) => (
          <input
            {...control}
            required
            maxLength={100}
            autocomplete="off"
            value={draft.name}
            onInput={(event) => set({ name: event.currentTarget.value })}
          />
        )}
      </FormField>
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
      <ReachFields draft={draft} set={set} details={details} me={me} own={own} usage={usage} />
      {children}
      <FormEnd action={action} isPending={isPending} isComplete={isComplete} onClose={onClose} />
    </form>
  );
}
