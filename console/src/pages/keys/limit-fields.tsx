/** The limit of requests of a key. */

import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import type { Period } from '../../../../lib/base/rate-limit.ts';
import { Field } from '../../shared/dialog.tsx';
import { FormField } from '../../shared/form.tsx';
import type { Reach } from './draft.ts';

export const perText: Readonly<Record<Period, string>> = {
  '1s': 'per second',
  '1m': 'per minute',
  '1h': 'per hour',
};

type LimitProps = {
  draft: Reach;
  set: (changes: Partial<Reach>) => void;
  messages: readonly string[];
  callerLimit: ApiKey['rateLimit'];
};

export const LimitFields = ({ draft, set, messages, callerLimit }: LimitProps) => (
  <div class="row limit">
    <FormField
      label="Requests"
      messages={messages}
      hint={
        callerLimit
          ? `At most yours: ${callerLimit.requests} ${perText[callerLimit.per]}. If it is empty, your limit applies.`
          : 'If it is empty, the key has no limit.'
      }
    >
      {(control) => (
        <input
          {...control}
          type="number"
          min={1}
          step={1}
          value={draft.requests}
          onInput={(event) => set({ requests: event.currentTarget.value })}
        />
      )}
    </FormField>
    <Field label="Period" hint="So many requests pass in each period.">
      {(id) => (
        <select
          id={id}
          value={draft.per}
          onChange={(event) => set({ per: event.currentTarget.value as Period })}
        >
          {(Object.keys(perText) as Period[]).map((per) => (
            <option key={per} value={per}>
              {perText[per]}
            </option>
          ))}
        </select>
      )}
    </Field>
  </div>
);
