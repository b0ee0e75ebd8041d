/** The metadata as rows of names and values. The rows stay while somebody types a name that another row has, too. */

import { useId, useState } from 'preact/hooks';
import { isEqual, isObject } from '../../shared/difference.ts';

type Props = { value: unknown; messages: readonly string[]; onChange: (metadata: object) => void };
type Pair = readonly [name: string, value: string];

const pairsOf = (value: unknown): Pair[] =>
  isObject(value)
    ? Object.entries(value).map(([name, text]) => [name, typeof text === 'string' ? text : ''])
    : [];

/** A row without name and value is not stored. */
const objectOf = (pairs: readonly Pair[]): object =>
  Object.fromEntries(pairs.filter(([name, text]) => name + text !== ''));

export function Metadata({ value, messages, onChange }: Props) {
  const id = useId();
  const [pairs, setPairs] = useState(() => pairsOf(value));
  // The JSON beside the form may have changed the value.
  const rows = isEqual(objectOf(pairs), value) ? pairs : pairsOf(value);
  const write = (next: readonly Pair[]) => {
    setPairs([...next]);
    onChange(objectOf(next));
  };
  const change = (at: number, pair: Pair) => write(rows.map((old, index) => (index === at ? pair : old)));
  return (
    <fieldset class="metadata" aria-describedby={`${id}-about`}>
      <legend>Metadata</legend>
      {rows.map(([name, text], at) => (
        // A row has no other identity than its place
        <div key={at} class="row">
          <input
            aria-label={`Name ${at + 1}`}
            autocomplete="off"
            value={name}
            onInput={(event) => change(at, [event.currentTarget.value, text])}
          />
          <input
            aria-label={`Value of ${name || `row ${at + 1}`}`}
            autocomplete="off"
            value={text}
            onInput={(event) => change(at, [name, event.currentTarget.value])}
          />
          <button
            type="button"
            class="small"
            aria-label={`Remove ${name || `row ${at + 1}`}`}
            onClick={() => write(rows.filter((_, index) => index !== at))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" class="small" onClick={() => setPairs([...rows, ['', '']])}>
        Add metadata
      </button>
      <small id={`${id}-about`}>
        {messages.length > 0 && <span class="invalid">{messages.join('; ')}.</span>}
      </small>
    </fieldset>
  );
}
