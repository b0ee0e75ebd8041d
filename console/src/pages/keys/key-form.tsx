/** The fields of a new or changed key. The form offers only what the signed-in credential may grant. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ErrorDetail } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { Loading } from '../../shared/basics.tsx';
import { Field } from '../../shared/dialog.tsx';
import { FormEnd, FormField, messagesAt } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { ProjectPicker } from '../../shared/project-picker.tsx';
import type { KeyDraft } from './draft.ts';
import { EnvironmentsField } from './environments-field.tsx';
import { grantableLifetimes } from './grants.ts';
import { type Grantor, loadGrantor, ReachFields } from './reach-fields.tsx';
import { ScopePicker } from './scope-picker.tsx';

type Props = {
  draft: KeyDraft;
  /** Whether the key exists already. Its projects cannot change. */
  isChange: boolean;
  isPending: boolean;
  action: string;
  onSubmit: (draft: KeyDraft) => void;
  onClose: () => void;
  /** The messages of the API about the last attempt. */
  details: readonly ErrorDetail[];
  /** The element that shows the error of the last attempt. */
  children: ComponentChildren;
};

export function KeyForm(props: Props) {
  const request = useLoad(loadGrantor, []);
  if (request.error !== undefined) return <Problem error={request.error} onRepeat={request.reload} />;
  if (!request.data) return <Loading />;
  return <Fields {...props} {...request.data} />;
}

type FieldsProps = Props & Grantor;

function Fields({
  isChange,
  isPending,
  action,
  onSubmit,
  onClose,
  details,
  children,
  me,
  callerKey,
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
        hint="The user of the key, such as a service."
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
      {!isChange && <EnvironmentsField value={draft.environments} set={set} details={details} me={me} />}
      <ReachFields draft={draft} set={set} details={details} me={me} callerKey={callerKey} usage={usage} />
      {children}
      <FormEnd action={action} isPending={isPending} isComplete={isComplete} onClose={onClose} />
    </form>
  );
}
