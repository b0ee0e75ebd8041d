/** The field for the environment that gets a deployment. */

import type { Environment } from '../../../../clients/typescript/src/index.ts';
import { Field } from '../../shared/dialog.tsx';

type Props = { environments: readonly Environment[]; value: string; onInput: (name: string) => void };

export const EnvironmentField = ({ environments, value, onInput }: Props) => (
  <Field label="Environment" hint="A new name creates an environment.">
    {(id) => (
      <>
        <input
          id={id}
          list="environments"
          required
          autocomplete="off"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <datalist id="environments">
          {environments.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </>
    )}
  </Field>
);
