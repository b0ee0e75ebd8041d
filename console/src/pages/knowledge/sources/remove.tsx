/** Deletes a source. A job removes its pages and, on request, its documents. The address of the list has the id of the job. */

import { useState } from 'preact/hooks';
import type { Job, KnowledgeSource } from '../../../../../clients/typescript/src/index.ts';
import { useAction } from '../../../request/use-action.ts';
import { navigate, setQuery } from '../../../router.ts';
import { platform } from '../../../session/session.ts';
import { countText } from '../../../shared/amounts.ts';
import { Confirm } from '../../../shared/dialog.tsx';
import { JobProgress, useJob } from '../../../shared/job-progress.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { Name } from '../../../shared/text.tsx';

type Props = { project: string; source: KnowledgeSource; onClose: () => void };

export function RemoveSource({ project, source, onClose }: Props) {
  const [keepsDocuments, setKeepsDocuments] = useState(false);
  const { sources } = platform().projects(project).knowledge;
  const remove = useAction((keeps: boolean) =>
    sources.delete(source.id, keeps ? { keepDocuments: true } : {}),
  );
  const finish = (job: Job | undefined) => {
    if (job) navigate(`/projects/${project}/knowledge/sources`, { removal: job.id });
  };
  return (
    <Confirm
      title="Delete the source"
      action={keepsDocuments ? 'Delete the source' : 'Delete the source and its documents'}
      phrase={keepsDocuments ? undefined : source.id.slice(-6)}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={async () => finish(await remove.run(keepsDocuments))}
      onRepeat={async () => finish(await remove.repeat())}
      onClose={onClose}
    >
      <p>
        <strong>
          <Name value={source.url} />
        </strong>{' '}
        is not refreshed any more.{' '}
        {keepsDocuments
          ? 'Its documents stay as they are, and can be changed.'
          : 'Its documents are deleted. Searches find them until the next re-index, and environments serve them until their next deployment.'}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={keepsDocuments}
          onChange={(event) => setKeepsDocuments(event.currentTarget.checked)}
        />
        Keep its documents
      </label>
    </Confirm>
  );
}

/** @param onEnd is called when the removal has ended */
export function RemovalProgress({
  project,
  jobId,
  onEnd,
}: {
  project: string;
  jobId: string | undefined;
  onEnd: () => void;
}) {
  const { job, error, repeat } = useJob(project, jobId, onEnd);
  if (!jobId) return null;
  const result = job?.result && 'removedDocuments' in job.result ? job.result : undefined;
  return (
    <section class="card panel" aria-label="Removal of a source">
      <div class="head">
        <h2>Removal of a source</h2>
        <button type="button" class="small" onClick={() => setQuery({ removal: undefined })}>
          Close
        </button>
      </div>
      <Problem error={error} onRepeat={repeat} />
      {job && job.finishedAt === null && (
        <JobProgress projectId={project} job={job} verb="Removing" noun="pages" />
      )}
      {job?.error && (
        <p class="bad">
          The removal failed: <Name value={job.error.message} />
        </p>
      )}
      {result && (
        <p role="status">
          The source is gone.{' '}
          {result.releasedDocuments > 0
            ? `${countText(result.releasedDocuments, 'document')} kept.`
            : `${countText(result.removedDocuments, 'document')} removed.`}
        </p>
      )}
    </section>
  );
}
