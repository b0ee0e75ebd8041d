/** The headers of an answer that is a job. */

import { maxWaitSeconds } from '../waits/limits.ts';
import type { Job } from './schema.ts';

/** Seconds after which it is worth looking again. */
const retryAfterSeconds = 2;

const isOpen = ({ status }: Job) => status === 'queued' || status === 'running';

export const jobHeaders = {
  Location: {
    description: 'The address of the job, with `waitSeconds`.',
    value: ({ id }: Job, { path }: { path: string }) =>
      `${path.split(/\/(?:knowledge|conversations|jobs)\//, 1)[0]}/jobs/${id}?waitSeconds=${maxWaitSeconds}`,
  },
  'Retry-After': {
    description: 'Seconds to wait before you poll the job again. Omitted when it has ended.',
    value: (job: Job) => (isOpen(job) ? String(retryAfterSeconds) : undefined),
  },
} as const;
