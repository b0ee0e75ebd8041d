/** The JSON that only the runtime of the user reads. It is edited as text, and each fault has its line. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorDetail } from '../../../../clients/typescript/src/index.ts';
import { lineOf, readJson } from '../../../../lib/base/json-syntax.ts';
import { FormField } from '../../shared/form.tsx';

type Props = {
  value: unknown;
  details: readonly ErrorDetail[];
  onChange: (value: unknown) => void;
  /** Gets whether the text can be read. Otherwise, the draft has the value of an earlier text. */
  onValid: (isValid: boolean) => void;
};

export function RuntimeField({ value, details, onChange, onValid }: Props) {
  const [text, setText] = useState(() => textOf(value));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  // The value of the text. A value that came from the text must not reformat it.
  const textValue = useRef(value);
  const settle = (nextProblem: string | undefined) => {
    setProblem(nextProblem);
    onValid(nextProblem === undefined);
  };
  useEffect(() => {
    if (textValue.current === value) return;
    textValue.current = value;
    setText(textOf(value));
    settle(undefined);
  }, [value]);
  const read = (nextText: string) => {
    setText(nextText);
    try {
      const nextValue = nextText.trim() === '' ? null : readJson(nextText);
      textValue.current = nextValue;
      settle(undefined);
      onChange(nextValue);
    } catch (failure) {
      settle(failure instanceof Error ? failure.message : 'The JSON cannot be read');
    }
  };
  return (
    <FormField
      label="Runtime as JSON"
      hint="Tools, model and settings of the voice. The service stores this JSON, and only your runtime reads it. At most 64 KB."
      messages={problem === undefined ? refusals(details, text) : [problem]}
    >
      {(control) => (
        <textarea
          {...control}
          class="code"
          rows={10}
          spellcheck={false}
          value={text}
          onInput={(event) => read(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
}

const textOf = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));

/** @returns the messages of the API, with the lines of the values that they are about */
function refusals(details: readonly ErrorDetail[], text: string): string[] {
  return details.flatMap(({ path, message }) => {
    const [field, ...inner] = path.split('.');
    if (field !== 'runtime') return [];
    return inner.length === 0 ? [message] : [`Line ${lineOf(text, inner)}: ${message}`];
  });
}
