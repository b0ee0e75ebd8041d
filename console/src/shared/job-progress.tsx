/** The progress of a job, on one line. */

import type { Job } from '../../../clients/typescript/src/index.ts';
import { href } from '../router.ts';
import { Progress } from './basics.tsx';

const number = (value: number) => value.toLocaleString('en');

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
  const failures = failed > 0 ? `, ${number(failed)} failed` : '';
  const ofTotal = total > 0 ? ` of ${number(total)}` : '';
  const label =
    job.status === 'queued'
      ? `${verb}: waiting to start`
      : `${verb}: ${number(done)}${ofTotal} ${noun}${failures}`;
  return (
    <div role="status">
      <Progress label={label} value={job.status === 'queued' || total === 0 ? undefined : done / total} />
      <a href={href(`/projects/${projectId}/jobs/${job.id}`)}>Open the job</a>
    </div>
  );
}
