/** The questions: typed, pasted, dropped or chosen as a file. */

import { useRef } from 'preact/hooks';
import { Field } from '../../../parts/dialog.tsx';
import { useDrop } from '../../../parts/use-drop.ts';
import { textOf } from '../upload/chosen.ts';
import type { QuestionTest } from './run.ts';

/** A thousand questions have a tenth of it. */
const maxBytes = 2_000_000;

const example = 'q,externalId\nhow do I return something,returns.md\nwhat does delivery cost,delivery.md';

export function QuestionsField({ test: { text, problem } }: { test: QuestionTest }) {
  const picker = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    const isSmall = file.size <= maxBytes;
    const read = isSmall ? await textOf(file) : { problem: 'is larger than 2 MB' };
    if ('problem' in read) problem.value = `The file ${read.problem}.`;
    else {
      text.value = read.text;
      problem.value = undefined;
    }
  };
  const { isOver, listeners } = useDrop((dropped) => void take(dropped.files[0]));
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
          void take(currentTarget.files?.[0]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </section>
  );
}
