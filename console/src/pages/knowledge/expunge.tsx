/** The removal of deleted documents from every index version: a job, whose id is in the address. */

import { useJob } from '../../request/use-job.ts';
import { setQuery } from '../../router.ts';
import { JobProgress } from '../../shared/job-progress.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';

export function ExpungeProgress({ project, jobId }: { project: string; jobId: string | undefined }) {
  const { job, error, repeat } = useJob(project, jobId);
  if (!jobId) return null;
  const result = job?.result && 'expunged' in job.result ? job.result : undefined;
  return (
    <section class="card panel" aria-label="Removal from the index">
      <div class="head">
        <h2>Removal from the index</h2>
        <button type="button" class="small" onClick={() => setQuery({ expunge: undefined })}>
          Close
        </button>
      </div>
      <Problem error={error} onRepeat={repeat} />
      {job && job.finishedAt === null && (
        <JobProgress projectId={project} job={job} verb="Removing" noun="index versions" />
      )}
      {job?.error && (
        <p class="bad">
          The removal failed: <Name value={job.error.message} />
        </p>
      )}
      {result && (
        <p role="status">
          The text is gone from all index versions.{' '}
          {result.environments.length > 0 && (
            <>
              Changed environments: <Name value={result.environments.join(', ')} />.
            </>
          )}
        </p>
      )}
    </section>
  );
}
