/** The page that tests the search with questions and the documents that answer them. */

import { query, setQuery } from '../../../router.ts';
import { Empty, Head, Progress } from '../../../shared/basics.tsx';
import { Problem } from '../../../shared/problem.tsx';
import type { PageParams } from '../../page-params.ts';
import { useEnvironments } from '../environments.ts';
import { IndexOptions } from '../index-options.tsx';
import { ModeFilter, modeInAddress } from '../mode-filter.tsx';
import { Tabs } from '../tabs.tsx';
import { QuestionsField } from './field.tsx';
import { type Place, runTest, stopTest, testOf } from './question-test.ts';
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
          Write questions as your users ask them, each with a document that answers it. The test shows the
          questions whose documents are not found, and what is found in their place.
        </Empty>
      )}
    </>
  );
}
