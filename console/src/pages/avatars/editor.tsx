/** The form, and the same content as JSON beside it. A change of the one changes the other. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../../clients/typescript/src/index.ts';
import { CopyButton } from '../../shared/copy.tsx';
import { type Draft, draftText, parseDraft } from './content.ts';
import { AvatarForm } from './form.tsx';

type Props = {
  draft: Draft;
  /** The error of the last attempt to save. */
  error: unknown;
  onChange: (draft: Draft) => void;
  /** Gets whether the JSON can be read. Otherwise, the draft cannot be saved. */
  onValid: (isValid: boolean) => void;
};

export function Editor({ draft, error, onChange, onValid }: Props) {
  const [text, setText] = useState(() => draftText(draft));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  // The content of the text. A draft that came from the text must not reformat it.
  const textDraft = useRef(draft);
  useEffect(() => {
    if (textDraft.current === draft) return;
    textDraft.current = draft;
    setText(draftText(draft));
    setProblem(undefined);
    onValid(true);
  }, [draft]);
  const read = (nextText: string) => {
    setText(nextText);
    try {
      const nextDraft = parseDraft(nextText);
      textDraft.current = nextDraft;
      setProblem(undefined);
      onValid(true);
      onChange(nextDraft);
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : 'The JSON cannot be read.');
      onValid(false);
    }
  };
  const details = error instanceof ApiError ? error.details : [];
  return (
    <div class="editor">
      <fieldset class="plain" disabled={problem !== undefined}>
        <legend class="sr-only">Fields</legend>
        <AvatarForm draft={draft} details={details} onChange={onChange} />
      </fieldset>
      <div class="json-side">
        <p class="row">
          <label for="avatar-json">JSON</label>
          <CopyButton text={text} label="Copy JSON" />
        </p>
        <textarea
          id="avatar-json"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="avatar-json-about"
          value={text}
          onInput={(event) => read(event.currentTarget.value)}
        />
        <p id="avatar-json-about" class={problem ? 'invalid' : 'quiet'} aria-live="polite">
          {problem
            ? `${problem}. The fields wait until it can be read.`
            : 'The fields and the JSON follow each other.'}
        </p>
      </div>
    </div>
  );
}
