/** The limit of requests of a key. */

import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import type { Period } from '../../../../lib/base/rate-limit.ts';
import { Field } from '../../parts/dialog.tsx';
import type { KeyDraft } from './draft.ts';

export const perText: Readonly<Record<Period, string>> = {
  '1s': 'per second',
  '1m': 'per minute',
  '1h': 'per hour',
};

type LimitProps = {
  draft: KeyDraft;
  set: (changes: Partial<KeyDraft>) => void;
  ownLimit: ApiKey['rateLimit'];
};

export const LimitFields = ({ draft, set, ownLimit }: LimitProps) => (
  <div class="row limit">
    <Field
      label="Requests"
      hint={
        ownLimit
          ? `At most yours: ${ownLimit.requests} ${perText[ownLimit.per]}. Empty: the same.`
          : 'Empty: no limit.'
      }
    >
      {(id) => (
        <input
          id={id}
          type="number"
          min={1}
          step={1}
          value={draft.requests}
          onInput={(event) => set({ requests: event.currentTarget.value })}
        />
      )}
    </Field>
    <Field label="Period" hint="From now on, this many requests pass in each period.">
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
