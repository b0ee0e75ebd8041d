/** The index of the documents, with its latest job. The page finds the job through the API, so a reload shows the job, too. */

import { useState } from 'preact/hooks';
import type { Job, ReindexResult } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { mayChange, platform } from '../../session/session.ts';
import { countText } from '../../shared/amounts.ts';
import { Expander } from '../../shared/basics.tsx';
import { JobProgress, useJob } from '../../shared/job-progress.tsx';
import { DocumentLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';

export type Reindexing = {
  /** The latest job; undefined before the first, and while it is loaded. */
  job: Job | undefined;
  /** Whether the project has had no job yet. */
  isNew: boolean;
  start: () => Promise<void>;
  repeat: () => Promise<void>;
  isStarting: boolean;
  /** Why the job could not be started. */
  startError: unknown;
  /** Why the job could not be loaded. */
  loadError: unknown;
  reload: () => void;
};

/** @param onEnd is called when a job ends */
export function useReindexing(project: string, onEnd: () => void): Reindexing {
  const [newJobId, setNewJobId] = useState<string | undefined>(undefined);
  const latestJobs = useLoad(
    (signal) => platform().projects(project).jobs.list({ type: 'knowledge.reindex', limit: 1 }, { signal }),
    [project],
  );
  const latestJob = latestJobs.data?.items[0];
  const jobState = useJob(project, newJobId ?? latestJob?.id, onEnd);
  const reindex = useAction((_: null, options) => platform().projects(project).knowledge.reindex(options));
  return {
    job: jobState.job ?? (newJobId ? undefined : latestJob),
    isNew: latestJobs.data !== undefined && !latestJob && !newJobId,
    start: async () => setNewJobId((await reindex.run(null))?.id ?? newJobId),
    repeat: async () => setNewJobId((await reindex.repeat())?.id ?? newJobId),
    isStarting: reindex.isPending,
    startError: reindex.error,
    loadError: latestJobs.error ?? jobState.error,
    reload: () => (latestJobs.error ? latestJobs.reload() : jobState.repeat()),
  };
}

export function ReindexCard({ project, index }: { project: string; index: Reindexing }) {
  const { job, isNew } = index;
  const isOpen = job !== undefined && job.finishedAt === null;
  return (
    <section class="card panel" aria-label="Index">
      <div class="head">
        <h2>Index</h2>
        {mayChange('knowledge:write') && (
          <button type="button" disabled={index.isStarting || isOpen} onClick={() => void index.start()}>
            {isOpen ? 'Re-indexing …' : 'Re-index'}
          </button>
        )}
      </div>
      <Problem error={index.startError} onRepeat={() => void index.repeat()} />
      <Problem error={index.loadError} onRepeat={index.reload} />
      {isNew && <p>Nothing is indexed yet. Searches find a document after a re-index.</p>}
      {isOpen && <JobProgress projectId={project} job={job} verb="Indexing" noun="documents" />}
      {job && !isOpen && <Outcome job={job} />}
      {job && <Problems project={project} job={job} />}
    </section>
  );
}

const isReindexResult = (result: Job['result']): result is ReindexResult =>
  result !== null && 'indexVersion' in result;

/** @returns `1 document`, `2 documents` */
function Outcome({ job }: { job: Job }) {
  if (job.error)
    return (
      <p class="bad" role="status">
        The last re-index failed <Time at={job.finishedAt} />: <Name value={job.error.message} />. Searches
        use the index before it.
      </p>
    );
  if (job.status === 'cancelled')
    return (
      <p role="status">
        The last re-index was cancelled <Time at={job.finishedAt} />. Searches use the index before it.
      </p>
    );
  if (!isReindexResult(job.result)) return null;
  const { documents, chunks, changed } = job.result;
  return (
    <p role="status">
      {countText(documents, 'document')} in {countText(chunks, 'piece')},{' '}
      {changed ? 'published' : 'unchanged, checked'} <Time at={job.finishedAt} />.
    </p>
  );
}

/** The documents that were not indexed, or with a warning. */
function Problems({ project, job: { failures, warnings } }: { project: string; job: Job }) {
  const problems = [...failures, ...(warnings ?? [])];
  if (problems.length === 0) return null;
  return (
    <Expander
      summary={
        <>
          {failures.length > 0 && `${countText(failures.length, 'document')} failed. `}
          {(warnings ?? []).length > 0 &&
            `With a warning: ${countText((warnings ?? []).length, 'document')}.`}
        </>
      }
    >
      {() => (
        <ul>
          {problems.map(({ documentId, message }, at) => (
            <li key={at}>
              <DocumentLink project={project} id={documentId} /> <Name value={message} />
            </li>
          ))}
        </ul>
      )}
    </Expander>
  );
}
