/** The form for a new or changed workload identity, with the messages of the API at its fields. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLoad } from '../../request/use-load.ts';
import { Loading } from '../../shared/basics.tsx';
import { detailsOf, FormEnd, FormField, messagesAt, useOnceOpen } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { ProjectPicker } from '../../shared/project-picker.tsx';
import { EnvironmentsField } from '../keys/environments-field.tsx';
import { grantableLifetimes } from '../keys/grants.ts';
import { type Grantor, loadGrantor, ReachFields } from '../keys/reach-fields.tsx';
import { ScopePicker } from '../keys/scope-picker.tsx';
import { type IdentityDraft, problemsOf, publicIssuers } from './draft.ts';

type Props = {
  draft: IdentityDraft;
  /** Whether the identity exists already. Its projects cannot change. */
  isChange: boolean;
  isPending: boolean;
  action: string;
  /** The error of the last attempt. */
  error: unknown;
  onSubmit: (draft: IdentityDraft) => void;
  onClose: () => void;
  /** The element that shows the error of the last attempt. */
  children: ComponentChildren;
};

export function IdentityForm(props: Props) {
  const request = useLoad(loadGrantor, []);
  if (request.error !== undefined) return <Problem error={request.error} onRepeat={request.reload} />;
  if (!request.data) return <Loading />;
  return <Fields {...props} grantor={request.data} />;
}

const texts = [
  ['name', 'Name', 'The name of the job, such as “deployments of the shop”.', 100],
  ['issuer', 'Issuer', 'Who signs the tokens.', 255],
  [
    'subject',
    'Subject',
    'The subject of the tokens (`sub`), such as repo:acme@2002/shop@1001:environment:production. * stands for characters inside a segment.',
    255,
  ],
] as const;

function Fields({
  grantor,
  isChange,
  isPending,
  action,
  error,
  onSubmit,
  onClose,
  children,
  ...rest
}: Props & { grantor: Grantor }) {
  const [draft, setDraft] = useState(rest.draft);
  const set = (changes: Partial<IdentityDraft>) => setDraft({ ...draft, ...changes });
  const { me } = grantor;
  const problems = problemsOf(draft);
  const details = [...problems, ...detailsOf(error)];
  const hasKeys = useOnceOpen(draft.jwks !== '' || messagesAt(details, ['jwks']).length > 0);
  const isComplete =
    problems.length === 0 &&
    draft.scopes.length > 0 &&
    (draft.projectIds === null || draft.projectIds.length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onSubmit(draft);
      }}
    >
      {texts.map(([name, label, hint, maxLength]) => (
        <FormField key={name} label={label} hint={hint} messages={messagesAt(details, [name])}>
          {(control) => (
            <input
              {...control}
              type="text"
              required
              maxLength={maxLength}
              autocomplete="off"
              spellcheck={false}
              {...(name === 'issuer' && { list: 'issuers' })}
              value={draft[name]}
              onInput={(event) => set({ [name]: event.currentTarget.value })}
            />
          )}
        </FormField>
      ))}
      <datalist id="issuers">
        {publicIssuers.map((issuer) => (
          <option key={issuer} value={issuer} />
        ))}
      </datalist>
      <FormField
        label="Claims"
        messages={messagesAt(details, ['claims'])}
        hint="One in each line: repository_id=1001. Values are texts. Names of repositories can change their owner: use ids."
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            spellcheck={false}
            value={draft.claims}
            onInput={(event) => set({ claims: event.currentTarget.value })}
          />
        )}
      </FormField>
      <ScopePicker
        legend="What the runs can do"
        value={draft.scopes}
        onChange={(scopes) => set({ scopes })}
      />
      {!isChange && (
        <ProjectPicker
          label="The projects that the runs can access"
          value={draft.projectIds}
          onChange={(projectIds) => set({ projectIds })}
        />
      )}
      {!isChange && <EnvironmentsField value={draft.environments} set={set} details={details} me={me} />}
      <FormField
        label="Expires"
        messages={messagesAt(details, ['expiresAt'])}
        hint={me.expiresAt ? 'Not later than your own credential.' : undefined}
      >
        {(control) => (
          <select
            {...control}
            value={draft.expiresIn}
            onChange={(event) => set({ expiresIn: event.currentTarget.value })}
          >
            <option value="">{isChange ? 'as now' : me.expiresAt ? 'with your credential' : 'never'}</option>
            {isChange && !me.expiresAt && <option value="never">never</option>}
            {grantableLifetimes(me, Date.now()).map(([value, label]) => (
              <option key={value} value={value}>
                in {label}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <ReachFields {...grantor} draft={draft} set={set} details={details} />
      <details open={hasKeys}>
        <summary>Public keys of the issuer</summary>
        <FormField
          label="Keys (JWKS)"
          messages={messagesAt(details, ['jwks'])}
          hint="Only for an issuer that the service cannot reach, such as a private cluster: its set of public keys, as JSON. If it is empty, the service reads the keys of the issuer."
        >
          {(control) => (
            <textarea
              {...control}
              rows={6}
              spellcheck={false}
              value={draft.jwks}
              onInput={(event) => set({ jwks: event.currentTarget.value })}
            />
          )}
        </FormField>
      </details>
      {children}
      <FormEnd action={action} isPending={isPending} isComplete={isComplete} onClose={onClose} />
    </form>
  );
}
