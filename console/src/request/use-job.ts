/** Follows a job until it has ended. The page has the id of the job in its address, so a reload follows it again. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Job } from '../../../clients/typescript/src/index.ts';
import { platform } from '../session/session.ts';

export type FollowedJob = { job: Job | undefined; error: unknown; repeat: () => void };

/** The first pauses are short, because most jobs end within seconds. */
const leastPauseMs = 700;
const mostPauseMs = 4000;

/** @param onEnd is called when the job ends while it is followed */
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
