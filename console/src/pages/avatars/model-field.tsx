/** The model that answers for the avatar: one of those that the service lists, and its settings. */

import { useEffect, useState } from 'preact/hooks';
import type { ErrorDetail } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { isObject } from '../../shared/difference.ts';
import { FormField, messagesAt } from '../../shared/form.tsx';

type Props = { value: unknown; details: readonly ErrorDetail[]; onChange: (value: unknown) => void };

const hint = 'It answers in text for the avatar. An avatar without a model answers only in your own runtime.';

export function ModelFields({ value, details, onChange }: Props) {
  const { data } = useLoad((signal) => platform().models.list({ limit: 100 }, { signal }), []);
  // Without the list, any id can be typed: a reply refuses a model that the service does not list.
  const listed = data?.items.map(({ id }) => id) ?? [];
  const model = isObject(value) ? value : {};
  const modelId = typeof model.modelId === 'string' ? model.modelId : '';
  const write = (id: string) => onChange(id === '' ? null : { ...model, modelId: id });
  const setting = (name: string, label: string, about: string) => (
    <NumberField
      label={label}
      hint={about}
      value={model[name]}
      messages={messagesAt(details, ['model', name])}
      onChange={(number) => {
        const { [name]: _, ...others } = model;
        onChange(number === undefined ? others : { ...others, [name]: number });
      }}
    />
  );
  return (
    <>
      <FormField label="Model that answers" hint={hint} messages={messagesAt(details, ['model', 'modelId'])}>
        {(control) =>
          listed.length > 0 ? (
            <select {...control} value={modelId} onChange={({ currentTarget }) => write(currentTarget.value)}>
              <option value="">None</option>
              {[...new Set([...listed, ...(modelId === '' ? [] : [modelId])])].map((id) => (
                <option key={id} value={id}>
                  {listed.includes(id) ? id : `${id} (not listed)`}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...control}
              autocomplete="off"
              spellcheck={false}
              value={modelId}
              onInput={({ currentTarget }) => write(currentTarget.value)}
            />
          )
        }
      </FormField>
      {modelId !== '' && (
        <div class="split">
          {setting(
            'temperature',
            'Temperature',
            'From 0 to 1. If it is empty, the default of the model applies.',
          )}
          {setting('maxTokens', 'Tokens of an answer', 'At most 4,096. If it is empty, 1,024.')}
        </div>
      )}
    </>
  );
}

type NumberProps = {
  label: string;
  hint: string;
  value: unknown;
  messages: readonly string[];
  onChange: (value: number | undefined) => void;
};

/** It keeps the text as it is typed, such as `0.`, which is not the text of its number. */
function NumberField({ label, hint: about, value, messages, onChange }: NumberProps) {
  const [text, setText] = useState(textOf(value));
  useEffect(() => {
    if (numberOf(text) !== value) setText(textOf(value));
  }, [value]);
  return (
    <FormField label={label} hint={about} messages={messages}>
      {(control) => (
        <input
          {...control}
          inputMode="decimal"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => {
            const typed = currentTarget.value;
            setText(typed);
            const number = numberOf(typed);
            if (number !== undefined || typed.trim() === '') onChange(number);
          }}
        />
      )}
    </FormField>
  );
}

const textOf = (value: unknown): string => (typeof value === 'number' ? `${value}` : '');

/** @returns undefined for a text that is no number */
function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}
