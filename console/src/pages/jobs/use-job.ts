/** A job that is followed until it has ended. Its address has its id, so a reload of the page goes on. */

import { useEffect } from 'preact/hooks';
import type { Job } from '../../../../clients/typescript/src/index.ts';
import { announce } from '../../parts/announce.tsx';
import { type Loaded, useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { counts, isOpen, titleOf } from './texts.ts';

/** The service answers at once when the job ends. Until then the progress is this old at most. */
const waitSeconds = 3;

export function useJob(project: string, id: string): Loaded<Job> {
  const loaded = useLoad(
    (signal) => platform().projects(project).jobs.get(id, {}, { signal }),
    [project, id],
  );
  const job = loaded.data;
  const isFollowed = job !== undefined && isOpen(job) && loaded.error === undefined;
  // Each answer starts the next request; an error ends them until it is repeated
  useEffect(() => {
    if (!isFollowed) return;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async () => {
      for (let isRunning = true; isRunning && !signal.aborted; ) {
        const next = await platform().projects(project).jobs.get(id, { waitSeconds }, { signal });
        if (signal.aborted) return;
        loaded.set(next);
        isRunning = isOpen(next);
        if (!isRunning) announce(`${titleOf(next.type)}: ${next.status}, ${counts(next)}`);
      }
    };
    follow().catch(() => signal.aborted || loaded.reload());
    return () => controller.abort();
  }, [isFollowed, project, id]);
  return loaded;
}
