/** The field for the questions. People type, paste or drop them, or choose a file. */

import { useRef } from 'preact/hooks';
import { Field } from '../../../shared/dialog.tsx';
import { useDrop } from '../../../shared/use-drop.ts';
import { textOf } from '../upload/selection.ts';
import type { QuestionTest } from './question-test.ts';

/** A thousand questions take a tenth of this size. */
const maxBytes = 2_000_000;

const example = 'q,externalId\nhow do I return something,returns.md\nwhat does delivery cost,delivery.md';

export function QuestionsField({ test: { text, problem } }: { test: QuestionTest }) {
  const picker = useRef<HTMLInputElement>(null);
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    const isSmall = file.size <= maxBytes;
    const result = isSmall ? await textOf(file) : { problem: 'is larger than 2 MB' };
    if ('problem' in result) problem.value = `The file ${result.problem}.`;
    else {
      text.value = result.text;
      problem.value = undefined;
    }
  };
  const { isOver, listeners } = useDrop((transfer) => void readFile(transfer.files[0]));
  return (
    <section class={`questions${isOver ? ' over' : ''}`} aria-label="Questions" {...listeners}>
      <Field
        label="Questions, and the documents that answer them"
        hint="CSV with the columns q and externalId (or documentId), also source and grade; or lines of JSON. Copied cells of a spreadsheet are fine."
      >
        {(id) => (
          <textarea
            id={id}
            rows={7}
            required
            spellcheck={false}
            placeholder={example}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      <p class="row">
        <button type="button" onClick={() => picker.current?.click()}>
          Choose a file
        </button>
        <span class="quiet">or drop it here</span>
      </p>
      <input
        ref={picker}
        hidden
        type="file"
        accept=".csv,.tsv,.txt,.jsonl"
        aria-label="File of questions"
        onChange={({ currentTarget }) => {
          void readFile(currentTarget.files?.[0]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </section>
  );
}
