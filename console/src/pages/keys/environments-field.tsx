/** The environments to which a new key or identity is bound. */

import type { ErrorDetail, Me } from '../../../../clients/typescript/src/index.ts';
import { FormField, messagesAt } from '../../shared/form.tsx';
import type { KeyDraft } from './draft.ts';

type Props = {
  value: string;
  set: (changes: Pick<KeyDraft, 'environments'>) => void;
  details: readonly ErrorDetail[];
  me: Pick<Me, 'environments'>;
};

export const EnvironmentsField = ({ value, set, details, me }: Props) => (
  <FormField
    label="Environments"
    messages={messagesAt(details, ['environments'])}
    hint={
      me.environments
        ? `Names among ${me.environments.join(', ')}, with spaces between them. If it is empty, all of them.`
        : 'Names with spaces between them, such as staging. If it is empty, all environments.'
    }
  >
    {(control) => (
      <input
        {...control}
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={(event) => set({ environments: event.currentTarget.value })}
      />
    )}
  </FormField>
);
