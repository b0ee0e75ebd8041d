/** The guards of a new rollout. */

import type { Evaluator } from '../../../../clients/typescript/src/index.ts';
import { type GuardDraft, harmScale, type MessagesOf, maxGuards, newGuard } from './draft.ts';

/** Only these scores have a share or a mean. */
const comparable: readonly string[] = ['boolean', 'category', 'number'];

type Props = {
  guards: readonly GuardDraft[];
  evaluators: readonly Evaluator[];
  messages: MessagesOf;
  onChange: (guards: readonly GuardDraft[]) => void;
};

export function GuardFields({ guards, evaluators, messages, onChange }: Props) {
  const choices = evaluators.filter(
    ({ status, output }) => status === 'active' && comparable.includes(output.type),
  );
  const next = choices.find(({ name }) => !guards.some(({ score }) => score === name)) ?? choices[0];
  const change = (at: number, guard: GuardDraft | undefined) =>
    onChange(guards.toSpliced(at, 1, ...(guard ? [guard] : [])));
  const texts = messages('guards');
  return (
    <fieldset>
      <legend>Guards</legend>
      <p class="quiet">
        A guard compares a score of both deployments, once for each user. It stops the rollout when the
        candidate is certainly worse than allowed.
        {guards.length === 0 && ' Without a guard, nothing stops it by itself.'}
      </p>
      {texts.length > 0 && <p class="invalid">{texts.join('; ')}.</p>}
      {guards.map((guard, at) => (
        <GuardRow
          // A guard has no other identity than its place.
          key={at}
          number={at + 1}
          guard={guard}
          choices={choices}
          onChange={(changed) => change(at, changed)}
        />
      ))}
      {guards.length < maxGuards && (
        <button
          type="button"
          class="small"
          onClick={() => onChange([...guards, newGuard(next?.name ?? '', next?.output)])}
        >
          Add a guard
        </button>
      )}
    </fieldset>
  );
}

type RowProps = {
  number: number;
  guard: GuardDraft;
  choices: readonly Evaluator[];
  onChange: (guard: GuardDraft | undefined) => void;
};

function GuardRow({ number, guard, choices, onChange }: RowProps) {
  const output = choices.find(({ name }) => name === guard.score)?.output;
  const label = `Guard ${number}`;
  const isShare = harmScale(guard, output?.type) === 'points';
  const set = (changes: Partial<GuardDraft>) => onChange({ ...guard, ...changes });
  const numberField = (name: 'maxHarm' | 'minimum' | 'maxUnknown', text: string) => (
    <label>
      {label}: {text}
      <input
        inputMode="decimal"
        autocomplete="off"
        required
        value={guard[name]}
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="filters guard-fields">
      {choices.length > 0 ? (
        <label>
          {label}: score
          <select
            value={guard.score}
            onChange={({ currentTarget: { value } }) =>
              onChange(newGuard(value, choices.find(({ name }) => name === value)?.output))
            }
          >
            {choices.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <label>
          {label}: score
          <input
            autocomplete="off"
            required
            value={guard.score}
            onInput={(event) => set({ score: event.currentTarget.value })}
          />
        </label>
      )}
      {output?.type === 'category' && (
        <label>
          {label}: category
          <select value={guard.value} onChange={(event) => set({ value: event.currentTarget.value })}>
            {output.values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {label}: better is
        <select
          value={guard.better}
          onChange={(event) => set({ better: event.currentTarget.value === 'lower' ? 'lower' : 'higher' })}
        >
          <option value="higher">{isShare ? 'a higher share' : 'higher'}</option>
          <option value="lower">{isShare ? 'a lower share' : 'lower'}</option>
        </select>
      </label>
      {numberField('maxHarm', isShare ? 'allowed harm, points' : 'allowed harm')}
      {numberField('minimum', 'units of each side')}
      {numberField('maxUnknown', 'without a value, at most %')}
      <button type="button" class="small" onClick={() => onChange(undefined)}>
        Remove<span class="sr-only"> guard {number}</span>
      </button>
    </div>
  );
}
