/** Tries an evaluator on the newest conversations before it is saved. No score is stored. */

import { useState } from 'preact/hooks';
import { ApiError, type ErrorDetail, type Job } from '../../../../clients/typescript/src/index.ts';
import { Field } from '../../parts/dialog.tsx';
import { JobProgress } from '../../parts/job-progress.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Name } from '../../parts/text.tsx';
import { useAction } from '../../request/use-action.ts';
import { useJob } from '../../request/use-job.ts';
import { platform } from '../../session/session.ts';
import { type Draft, detailsOfDraft, type PreviewBody, previewBody } from './draft.ts';
import { Previewed } from './previewed.tsx';
import { counted, resultOf, spentText, whyStopped } from './texts.ts';

/** Ten short conversations cost less with every model of today. */
const firstLimitUsd = '0.10';

type Props = {
  project: string;
  draft: Draft;
  /** What is wrong with the draft, for its fields. */
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
  const followed = useJob(project, jobId);
  if (draft.kind === 'external') return null;
  const finish = (job: Job | undefined) => job && setJobId(job.id);
  const start = async () => {
    const found = previewBody(draft);
    onDetails('problems' in found ? found.problems : []);
    if ('problems' in found) return;
    setJobId(undefined);
    finish(await create.run({ ...found.body, ...(isModel && { maxCostUsd: Number(limit) }) }));
  };
  const { job } = followed;
  const isRunning = create.isPending || (jobId !== undefined && job?.finishedAt == null && !followed.error);
  return (
    <section class="card panel" aria-label="Preview">
      <h2>Preview</h2>
      <p class="quiet">
        Tries what is in the form on the ten newest conversations that it applies to. No score is stored, and
        the results are kept for an hour.
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
      <Problem error={followed.error} onRepeat={followed.repeat} />
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
        {counted(result.evaluated, 'score')} for {counted(result.conversations, 'conversation')}
        {result.unknown > 0 && `, ${result.unknown} unknown`}
        {result.failed > 0 && `, ${result.failed} failed`}.{' '}
        {isModel ? `It took ${spentText(result)}.` : 'It cost nothing.'} {whyStopped(result)}
      </p>
      <Previewed project={project} preview={result.preview ?? null} />
    </>
  );
}
