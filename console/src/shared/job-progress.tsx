/** The progress of a job: a line that shows it, and a hook that follows the job. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Job } from '../../../clients/typescript/src/index.ts';
import { href } from '../router.ts';
import { platform } from '../session/session.ts';
import { numberText } from './amounts.ts';
import { Progress } from './basics.tsx';

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
