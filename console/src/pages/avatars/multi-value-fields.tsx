/** The fields of an avatar with several values: its tags, and its metadata. */

import { useId, useState } from 'preact/hooks';
import { isEqual, isObject } from '../../shared/difference.ts';
import { FormField } from '../../shared/form.tsx';

type Props = { value: unknown; messages: readonly string[]; onChange: (tags: string[]) => void };

export function Tags({ value, messages, onChange }: Props) {
  const [text, setText] = useState('');
  const tags = Array.isArray(value) ? value.filter((tag): tag is string => typeof tag === 'string') : [];
  const add = () => {
    const tag = text.trim();
    if (tag !== '' && !tags.includes(tag)) onChange([...tags, tag]);
    setText('');
  };
  return (
    <div>
      <FormField
        label="Knowledge tags"
        hint="The avatar answers from the documents that have at least one of these tags."
        messages={messages}
      >
        {(control) => (
          <div class="row tags">
            <input
              {...control}
              autocomplete="off"
              placeholder="Add a tag"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // Enter would save the form.
                event.preventDefault();
                add();
              }}
            />
            {tags.map((tag) => (
              <button
                key={tag}
                type="button"
                class="small"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              >
                <bdi>{tag}</bdi> ×
              </button>
            ))}
          </div>
        )}
      </FormField>
    </div>
  );
}

type MetadataProps = { value: unknown; messages: readonly string[]; onChange: (metadata: object) => void };
type Pair = readonly [name: string, value: string];

const pairsOf = (value: unknown): Pair[] =>
  isObject(value)
    ? Object.entries(value).map(([name, text]) => [name, typeof text === 'string' ? text : ''])
    : [];

/** A row without name and value is not stored. */
const objectOf = (pairs: readonly Pair[]): object =>
  Object.fromEntries(pairs.filter(([name, text]) => name + text !== ''));

/** The metadata as rows of names and values. The rows stay while somebody types a name that another row has, too. */
export function Metadata({ value, messages, onChange }: MetadataProps) {
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
        // A row has no other identity than its place.
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
