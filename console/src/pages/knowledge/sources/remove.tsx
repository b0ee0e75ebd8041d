/** Deletes a source. A job removes its pages and, on request, its documents. The address of the list has the id of the job. */

import { useState } from 'preact/hooks';
import type { Job, KnowledgeSource } from '../../../../../clients/typescript/src/index.ts';
import { useAction } from '../../../request/use-action.ts';
import { navigate } from '../../../router.ts';
import { platform } from '../../../session/session.ts';
import { countText } from '../../../shared/amounts.ts';
import { Confirm } from '../../../shared/dialog.tsx';
import { JobPanel, useJob } from '../../../shared/job-progress.tsx';
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
  const followed = useJob(project, jobId, onEnd);
  const { job } = followed;
  if (!jobId) return null;
  const result = job?.result && 'removedDocuments' in job.result ? job.result : undefined;
  return (
    <JobPanel
      project={project}
      followed={followed}
      title="Removal of a source"
      parameter="removal"
      verb="Removing"
      noun="pages"
      work="removal"
    >
      {result && (
        <p role="status">
          The source is gone.{' '}
          {result.releasedDocuments > 0
            ? `${countText(result.releasedDocuments, 'document')} kept.`
            : `${countText(result.removedDocuments, 'document')} removed.`}
        </p>
      )}
    </JobPanel>
  );
}
