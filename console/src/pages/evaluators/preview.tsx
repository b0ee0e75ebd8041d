/** Tries an evaluator on the newest conversations before it is saved. No score is stored. */

import { useState } from 'preact/hooks';
import { ApiError, type ErrorDetail, type Job } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { countText } from '../../shared/amounts.ts';
import { Field } from '../../shared/dialog.tsx';
import { JobProgress, useJob } from '../../shared/job-progress.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { type Draft, detailsOfDraft, type PreviewBody, previewBody } from './draft.ts';
import { PreviewResults } from './preview-results.tsx';
import { resultOf, spentText, whyStopped } from './texts.ts';

/** Ten short conversations cost less with every model of today. */
const firstLimitUsd = '0.10';

type Props = {
  project: string;
  draft: Draft;
  /** Gets the problems of the draft, by field. */
  onDetails: (details: readonly ErrorDetail[]) => void;
};

export function Preview({ project, draft, onDetails }: Props) {
  const [limit, setLimit] = useState(firstLimitUsd);
  const [jobId, setJobId] = useState<string | undefined>(undefined);
  const isModel = draft.kind === 'model';
  const create = useAction(async (body: PreviewBody & { maxCostUsd?: number }, options) => {
    try {
      return await platform()
        .projects(project)
        .evaluationRuns.create({ ...body, preview: true }, options);
    } catch (error) {
      if (error instanceof ApiError) onDetails(detailsOfDraft(error.details));
      throw error;
    }
  });
  const jobState = useJob(project, jobId);
  if (draft.kind === 'external') return null;
  const finish = (job: Job | undefined) => job && setJobId(job.id);
  const start = async () => {
    const result = previewBody(draft);
    onDetails('problems' in result ? result.problems : []);
    if ('problems' in result) return;
    setJobId(undefined);
    finish(await create.run({ ...result.body, ...(isModel && { maxCostUsd: Number(limit) }) }));
  };
  const { job } = jobState;
  const isRunning = create.isPending || (jobId !== undefined && job?.finishedAt == null && !jobState.error);
  return (
    <section class="card panel" aria-label="Preview">
      <h2>Preview</h2>
      <p class="quiet">
        A preview tries the form on the ten newest conversations that the evaluator applies to. No score is
        stored, and the results are kept for an hour.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning) void start();
        }}
      >
        {isModel && (
          <Field label="It may cost at most (US dollars)">
            {(id) => (
              <input
                id={id}
                type="number"
                required
                min="0.000001"
                step="any"
                value={limit}
                onInput={({ currentTarget }) => setLimit(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <p class="row">
          <button type="submit" aria-disabled={isRunning}>
            {isRunning ? 'Working …' : 'Preview'}
          </button>
        </p>
      </form>
      <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
      <Problem error={jobState.error} onRepeat={jobState.repeat} />
      {job && job.finishedAt === null && (
        <JobProgress projectId={project} job={job} verb="Previewing" noun="conversations" />
      )}
      {job && <Outcome project={project} job={job} isModel={isModel} />}
    </section>
  );
}

function Outcome({ project, job, isModel }: { project: string; job: Job; isModel: boolean }) {
  if (job.error)
    return (
      <p class="bad" role="status">
        The preview failed: <Name value={job.error.message} />
      </p>
    );
  if (job.status === 'cancelled') return <p role="status">The preview was cancelled.</p>;
  const result = resultOf(job);
  if (!result) return null;
  return (
    <>
      <p role="status">
        {countText(result.evaluated, 'score')} for {countText(result.conversations, 'conversation')}
        {result.unknown > 0 && `, ${result.unknown} unknown`}
        {result.failed > 0 && `, ${result.failed} failed`}.{' '}
        {isModel ? `It took ${spentText(result)}.` : 'It cost nothing.'} {whyStopped(result)}
      </p>
      <PreviewResults project={project} preview={result.preview ?? null} />
    </>
  );
}
