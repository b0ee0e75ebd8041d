/** The knowledge tags. A click removes a tag, and Enter adds a tag. */

import { useState } from 'preact/hooks';
import { FormField } from './form-field.tsx';

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
