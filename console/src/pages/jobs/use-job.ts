/** Follows a job until it ends. The address of the page has the id of the job, so a reload follows it again. */

import { useEffect } from 'preact/hooks';
import type { Job } from '../../../../clients/typescript/src/index.ts';
import { type Loaded, useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/announce.tsx';
import { counts, isOpen, titleOf } from './texts.ts';

/** The service answers at once when the job ends. Until then the progress is this old at most. */
const waitSeconds = 3;

export function useJob(project: string, id: string): Loaded<Job> {
  const request = useLoad(
    (signal) => platform().projects(project).jobs.get(id, {}, { signal }),
    [project, id],
  );
  const job = request.data;
  const isFollowed = job !== undefined && isOpen(job) && request.error === undefined;
  // Each answer starts the next request. An error ends the requests until the user repeats
  useEffect(() => {
    if (!isFollowed) return;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async () => {
      for (let isRunning = true; isRunning && !signal.aborted; ) {
        const latestJob = await platform().projects(project).jobs.get(id, { waitSeconds }, { signal });
        if (signal.aborted) return;
        request.set(latestJob);
        isRunning = isOpen(latestJob);
        if (!isRunning) announce(`${titleOf(latestJob.type)}: ${latestJob.status}, ${counts(latestJob)}`);
      }
    };
    follow().catch(() => signal.aborted || request.reload());
    return () => controller.abort();
  }, [isFollowed, project, id]);
  return request;
}
