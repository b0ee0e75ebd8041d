/** The progress of a job: a line and a panel that show it, and a hook that follows the job. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Job } from '../../../clients/typescript/src/index.ts';
import { href, setQuery } from '../router.ts';
import { platform } from '../session/session.ts';
import { numberText } from './amounts.ts';
import { Progress } from './basics.tsx';
import { Problem } from './problem.tsx';
import { Name } from './text.tsx';

type Props = {
  projectId: string;
  job: Job;
  /** What the job does: `Indexing`. */
  verb: string;
  /** What the progress counts: `documents`. */
  noun: string;
};

export function JobProgress({ projectId, job, verb, noun }: Props) {
  const { total, done, failed } = job.progress;
  const failures = failed > 0 ? `, ${numberText(failed)} failed` : '';
  const ofTotal = total > 0 ? ` of ${numberText(total)}` : '';
  const label =
    job.status === 'queued'
      ? `${verb}: waiting to start`
      : `${verb}: ${numberText(done)}${ofTotal} ${noun}${failures}`;
  return (
    <div role="status">
      <Progress label={label} value={job.status === 'queued' || total === 0 ? undefined : done / total} />
      <a href={href(`/projects/${projectId}/jobs/${job.id}`)}>Open the job</a>
    </div>
  );
}

type PanelProps = {
  project: string;
  followed: FollowedJob;
  title: string;
  /** The name of the panel for screen readers. Default: the title. */
  label?: string;
  /** The parameter of the address with the id of the job. */
  parameter: string;
  verb: string;
  noun: string;
  /** The work, as in "The export failed". */
  work: string;
  /** The result. */
  children: ComponentChildren;
};

/** A panel with the progress, the error and the result of a job. */
export function JobPanel({
  project,
  followed: { job, error, repeat },
  title,
  label = title,
  parameter,
  verb,
  noun,
  work,
  children,
}: PanelProps) {
  return (
    <section class="card panel" aria-label={label}>
      <div class="head">
        <h2>{title}</h2>
        <button type="button" class="small" onClick={() => setQuery({ [parameter]: undefined })}>
          Close
        </button>
      </div>
      <Problem error={error} onRepeat={repeat} />
      {job && job.finishedAt === null && (
        <JobProgress projectId={project} job={job} verb={verb} noun={noun} />
      )}
      {job?.error && (
        <p class="bad">
          The {work} failed: <Name value={job.error.message} />
        </p>
      )}
      {children}
    </section>
  );
}

export type FollowedJob = { job: Job | undefined; error: unknown; repeat: () => void };

/** The first pauses are short, because most jobs end within seconds. */
const leastPauseMs = 700;
const mostPauseMs = 4000;

/**
 * Follows a job until it has ended. The page has the id of the job in its address, so a reload follows it again.
 *
 * @param onEnd is called when the job ends while it is followed
 */
export function useJob(
  projectId: string,
  jobId: string | undefined,
  onEnd?: (job: Job) => void,
): FollowedJob {
  const [state, setState] = useState<{ job?: Job; error?: unknown }>({});
  const [round, setRound] = useState(0);
  const onEndRef = useRef(onEnd);
  onEndRef.current = onEnd;
  useEffect(() => {
    setState({});
    if (!jobId) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasOpen = false;
    let pauseMs = leastPauseMs;
    const look = async () => {
      try {
        const job = await platform().projects(projectId).jobs.get(jobId, {}, { signal });
        if (signal.aborted) return;
        setState({ job });
        if (job.finishedAt !== null) {
          if (wasOpen) onEndRef.current?.(job);
          return;
        }
        wasOpen = true;
        pauseMs = Math.min(pauseMs * 1.2, mostPauseMs);
      } catch (error) {
        if (signal.aborted) return;
        setState((before) => ({ ...before, error }));
        // The job goes on, whatever happens to the connection.
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) return;
        pauseMs = mostPauseMs;
      }
      timer = setTimeout(look, pauseMs);
    };
    void look();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [projectId, jobId, round]);
  return { job: state.job, error: state.error, repeat: () => setRound((number) => number + 1) };
}
