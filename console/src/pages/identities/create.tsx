/** Creates a workload identity, and shows its audience. */

import { useState } from 'preact/hooks';
import type { WorkloadIdentity } from '../../../../clients/typescript/src/index.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog, Field } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ProjectPicker } from '../../parts/project-picker.tsx';
import { useAction } from '../../request/use-action.ts';
import { platform, session } from '../../session/session.ts';
import { grantableLifetimes } from '../keys/grants.ts';
import { ScopePicker } from '../keys/scope-picker.tsx';
import { claimsOf, creation, emptyDraft, type IdentityDraft, knownIssuers } from './draft.ts';

type Props = { onCreated: () => void; onClose: () => void };

export function CreateIdentity({ onCreated, onClose }: Props) {
  const [created, setCreated] = useState<WorkloadIdentity | undefined>(undefined);
  const [draft, setDraft] = useState(emptyDraft);
  const create = useAction((body: ReturnType<typeof creation>, options) =>
    platform().workloadIdentities.create(body, options),
  );
  const finish = (identity: WorkloadIdentity | undefined) => {
    if (!identity) return;
    setCreated(identity);
    onCreated();
  };
  if (created)
    return (
      <Dialog title="The identity is created" onClose={onClose}>
        <p>A token must have this audience (`aud`), and no other. It is not a secret.</p>
        <pre tabIndex={0}>
          <code>{created.audience}</code>
        </pre>
        <p class="row end">
          <CopyButton text={created.audience} label="Copy the audience" />
          <button type="button" class="primary" onClick={onClose}>
            Close
          </button>
        </p>
      </Dialog>
    );
  const read = claimsOf(draft.claims);
  const isComplete =
    'claims' in read && draft.scopes.length > 0 && (draft.projectIds === null || draft.projectIds.length > 0);
  return (
    <Dialog title="New workload identity" onClose={onClose} isWide>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (isComplete) finish(await create.run(creation(draft, read.claims, Date.now())));
        }}
      >
        <Fields draft={draft} set={(changes) => setDraft({ ...draft, ...changes })} />
        {'error' in read && <p role="alert">{read.error}</p>}
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
        <p class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={create.isPending || !isComplete}>
            {create.isPending ? 'Working …' : 'Create'}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

type FieldsProps = { draft: IdentityDraft; set: (changes: Partial<IdentityDraft>) => void };

const texts = [
  ['name', 'Name', 'Says which job it is, such as “deployments of the shop”.', 100],
  ['issuer', 'Issuer', 'Who signs the tokens. The service reads its keys.', 255],
  [
    'subject',
    'Subject',
    'As the tokens have it (`sub`), such as repo:acme@2002/shop@1001:environment:production. * stands for characters inside a segment.',
    255,
  ],
] as const;

function Fields({ draft, set }: FieldsProps) {
  const me = session.value?.me;
  const lifetimes = me ? grantableLifetimes(me, Date.now()) : [];
  return (
    <>
      {texts.map(([name, label, hint, maxLength]) => (
        <Field key={name} label={label} hint={hint}>
          {(id) => (
            <input
              id={id}
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
        </Field>
      ))}
      <datalist id="issuers">
        {knownIssuers.map((issuer) => (
          <option key={issuer} value={issuer} />
        ))}
      </datalist>
      <Field
        label="Claims"
        hint="One in each line: repository_id=1001. Values are texts. Names of repositories can change their owner: use ids."
      >
        {(id) => (
          <textarea
            id={id}
            rows={2}
            spellcheck={false}
            value={draft.claims}
            onInput={(event) => set({ claims: event.currentTarget.value })}
          />
        )}
      </Field>
      <ScopePicker
        legend="What the runs can do"
        value={draft.scopes}
        onChange={(scopes) => set({ scopes })}
      />
      <ProjectPicker
        label="The projects that the runs can access"
        value={draft.projectIds}
        onChange={(projectIds) => set({ projectIds })}
      />
      <Field label="Expires" hint={me?.expiresAt ? 'Not later than your own credential.' : undefined}>
        {(id) => (
          <select
            id={id}
            value={draft.expiresIn}
            onChange={(event) => set({ expiresIn: event.currentTarget.value })}
          >
            <option value="">{me?.expiresAt ? 'with your credential' : 'never'}</option>
            {lifetimes.map(([value, label]) => (
              <option key={value} value={value}>
                in {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
