/**
 * The form of an avatar, and the same content as JSON beside it. The draft may be any JSON: a field shows what it can, and the API
 * says what is wrong.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type ErrorDetail } from '../../../../clients/typescript/src/index.ts';
import { maxPromptLength } from '../../../../lib/avatars/limits.ts';
import { query } from '../../router.ts';
import { CopyButton } from '../../shared/copy.tsx';
import { FormField, messagesAt } from '../../shared/form.tsx';
import { type Draft, draftText, type Path, parseDraft, valueAt, withValue } from './content.ts';
import { ModelFields } from './model-field.tsx';
import { Metadata, Tags } from './multi-value-fields.tsx';
import { RuntimeField } from './runtime-field.tsx';

type Props = {
  draft: Draft;
  details: readonly ErrorDetail[];
  onChange: (draft: Draft) => void;
  /** Gets whether the JSON of the runtime can be read. */
  onValid: (isValid: boolean) => void;
};

/** The API counts code points. */
const lengthOf = (prompt: unknown): string =>
  `${[...textOf(prompt)].length.toLocaleString('en')} of ${maxPromptLength.toLocaleString('en')} characters.`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function AvatarForm({ draft, details, onChange, onValid }: Props) {
  const set = (path: Path, value: unknown) => onChange(withValue(draft, path, value));
  const form = { draft, details, set };
  return (
    <>
      <TextField {...form} path={['name']} label="Name" />
      <TextField
        {...form}
        path={['persona', 'prompt']}
        label="Prompt"
        hint={`Instructions for the avatar: who it is and how it behaves. ${lengthOf(valueAt(draft, ['persona', 'prompt']))}`}
        isLong
      />
      <TextField
        {...form}
        path={['persona', 'greeting']}
        label="Greeting"
        hint="The first thing that the avatar says. If it is empty, the avatar waits for the user."
        isNullable
      />
      <TextField
        {...form}
        path={['persona', 'language']}
        label="Language"
        hint="A BCP 47 tag, such as en-GB."
      />
      <Tags
        value={valueAt(draft, ['knowledgeTags'])}
        messages={messagesAt(details, ['knowledgeTags'])}
        onChange={(tags) => set(['knowledgeTags'], tags)}
      />
      <details open={isModelOpen(draft, details)}>
        <summary>Model</summary>
        <ModelFields value={draft.model} details={details} onChange={(model) => set(['model'], model)} />
      </details>
      <details open={valueAt(draft, ['voice']) !== null || messagesAt(details, ['voice']).length > 0}>
        <summary>Voice</summary>
        <VoiceFields {...form} />
      </details>
      <details open={(draft.runtime ?? null) !== null || messagesAt(details, ['runtime']).length > 0}>
        <summary>Runtime</summary>
        <RuntimeField
          value={draft.runtime ?? null}
          details={details}
          onChange={(value) => set(['runtime'], value)}
          onValid={onValid}
        />
      </details>
      <details open={hasMoreFields(draft, details)}>
        <summary>Ids, image and metadata</summary>
        <TextField
          {...form}
          path={['externalId']}
          label="External id"
          hint="Your own id, unique in the project."
          isNullable
        />
        <TextField
          {...form}
          path={['imageUrl']}
          label="Image"
          hint="An https address. The console does not load it."
          isNullable
        />
        <Metadata
          value={valueAt(draft, ['metadata'])}
          messages={messagesAt(details, ['metadata'])}
          onChange={(metadata) => set(['metadata'], metadata)}
        />
      </details>
    </>
  );
}

/** A link may lead to the model. */
const isModelOpen = (draft: Draft, details: readonly ErrorDetail[]): boolean =>
  (draft.model ?? null) !== null ||
  messagesAt(details, ['model']).length > 0 ||
  query.value.get('field') === 'model';

const hasMoreFields = (draft: Draft, details: readonly ErrorDetail[]): boolean =>
  [['externalId'], ['imageUrl'], ['metadata']].some((path) => messagesAt(details, path).length > 0) ||
  textOf(draft.externalId) + textOf(draft.imageUrl) !== '' ||
  Object.keys(draft.metadata ?? {}).length > 0;

type FormState = {
  draft: Draft;
  details: readonly ErrorDetail[];
  set: (path: Path, value: unknown) => void;
};

type TextFieldProps = FormState & {
  path: Path;
  label: string;
  hint?: string;
  isLong?: boolean;
  /** Whether an empty text is stored as null. */
  isNullable?: boolean;
};

function TextField({ draft, details, set, path, label, hint, isLong, isNullable }: TextFieldProps) {
  const value = textOf(valueAt(draft, path));
  const write = (text: string) => set(path, isNullable && text === '' ? null : text);
  return (
    <FormField label={label} hint={hint} messages={messagesAt(details, path)}>
      {(control) =>
        isLong ? (
          <textarea
            {...control}
            class="prose"
            dir="auto"
            rows={8}
            value={value}
            onInput={(event) => write(event.currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            dir="auto"
            autocomplete="off"
            value={value}
            onInput={(event) => write(event.currentTarget.value)}
          />
        )
      }
    </FormField>
  );
}

/** An avatar without a provider and an id of a voice has no voice. */
function VoiceFields({ draft, details, set }: FormState) {
  const provider = textOf(valueAt(draft, ['voice', 'provider']));
  const voiceId = textOf(valueAt(draft, ['voice', 'voiceId']));
  const write = (voice: { provider: string; voiceId: string }) =>
    set(['voice'], voice.provider + voice.voiceId === '' ? null : voice);
  return (
    <div class="split">
      <FormField label="Provider" messages={messagesAt(details, ['voice', 'provider'])}>
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            value={provider}
            onInput={(event) => write({ provider: event.currentTarget.value, voiceId })}
          />
        )}
      </FormField>
      <FormField label="Id of the voice" messages={messagesAt(details, ['voice', 'voiceId'])}>
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            value={voiceId}
            onInput={(event) => write({ provider, voiceId: event.currentTarget.value })}
          />
        )}
      </FormField>
    </div>
  );
}

type EditorProps = {
  draft: Draft;
  /** The error of the last attempt to save. */
  error: unknown;
  onChange: (draft: Draft) => void;
  /** Gets whether the JSON can be read. Otherwise, the draft cannot be saved. */
  onValid: (isValid: boolean) => void;
};

/** The form, and the same content as JSON beside it. A change of the one changes the other. */
export function Editor({ draft, error, onChange, onValid }: EditorProps) {
  const [text, setText] = useState(() => draftText(draft));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isRuntimeValid, setRuntimeValid] = useState(true);
  // The content of the text. A draft that came from the text must not reformat it.
  const textDraft = useRef(draft);
  useEffect(() => {
    if (textDraft.current === draft) return;
    textDraft.current = draft;
    setText(draftText(draft));
    setProblem(undefined);
  }, [draft]);
  useEffect(() => onValid(problem === undefined && isRuntimeValid), [problem, isRuntimeValid]);
  const read = (nextText: string) => {
    setText(nextText);
    try {
      const nextDraft = parseDraft(nextText);
      textDraft.current = nextDraft;
      setProblem(undefined);
      onChange(nextDraft);
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : 'The JSON cannot be read.');
    }
  };
  const details = error instanceof ApiError ? error.details : [];
  return (
    <div class="editor">
      <fieldset class="plain" disabled={problem !== undefined}>
        <legend class="sr-only">Fields</legend>
        <AvatarForm draft={draft} details={details} onChange={onChange} onValid={setRuntimeValid} />
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
