/** The page that tests the search with questions and the documents that answer them. */

import { useRef } from 'preact/hooks';
import { query, setQuery } from '../../../router.ts';
import type { PageParams } from '../../../router-path.ts';
import { Empty, Head, Progress } from '../../../shared/basics.tsx';
import { Field } from '../../../shared/dialog.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { useDrop } from '../../../shared/use-drop.ts';
import { IndexOptions, ModeFilter, modeInAddress, useEnvironments } from '../search-choices.tsx';
import { Tabs } from '../tabs.tsx';
import { textOf } from '../upload/selection.ts';
import { type Place, type QuestionTest, runTest, stopTest, testOf } from './question-test.ts';
import { Results } from './results.tsx';

export default function KnowledgeTest({ params: { project = '' } }: { params: PageParams }) {
  const test = testOf(project);
  const place: Place = {
    environment: query.value.get('environment') || undefined,
    mode: modeInAddress(),
  };
  const environments = useEnvironments(project);
  const run = () => void runTest(project, place);
  const { progress, report, problem, error, source } = test;
  return (
    <>
      <Head title="Knowledge" />
      <Tabs project={project} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <QuestionsField test={test} />
        <div class="filters">
          <label>
            Source of the documents
            <input
              value={source.value}
              maxLength={255}
              placeholder="handbook"
              onInput={(event) => {
                source.value = event.currentTarget.value;
              }}
            />
          </label>
          <label>
            Index
            <select
              value={place.environment ?? ''}
              onChange={(event) => setQuery({ environment: event.currentTarget.value })}
            >
              <IndexOptions environments={environments} environment={place.environment} />
            </select>
          </label>
          <ModeFilter />
          <button type="submit" class="primary" aria-disabled={progress.value !== undefined}>
            Run the test
          </button>
        </div>
      </form>
      {problem.value && (
        <div class="problem" role="alert">
          <p class="lines">{problem.value}</p>
        </div>
      )}
      <Problem error={error.value} onRepeat={run} />
      {progress.value && (
        <>
          <Progress
            label={`${progress.value.done} of ${progress.value.total} questions asked`}
            value={progress.value.done / progress.value.total}
          />
          <button type="button" class="small" onClick={stopTest}>
            Stop
          </button>
        </>
      )}
      {report.value ? (
        <Results project={project} report={report.value} isOld={progress.value !== undefined} />
      ) : (
        <Empty
          title="See whether your documents answer your questions"
          command="platform knowledge test questions.csv --source handbook --min-recall 0.9"
        >
          Write questions as your users ask them, each with a document and the passage that answers it. The
          test shows the questions whose documents are not found, and what is found in their place.
        </Empty>
      )}
    </>
  );
}

/** A thousand questions take a tenth of this size. */
const maxBytes = 2_000_000;

const example =
  'q,externalId,contains\nhow do I return something,returns.md,within 30 days\nwhat does delivery cost,delivery.md,4.90';

/** The field for the questions. People type, paste or drop them, or choose a file. */
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
        hint="CSV with the columns q and externalId (or documentId), also source, grade and contains, the passage that answers; or lines of JSON. Copied cells of a spreadsheet are fine."
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
