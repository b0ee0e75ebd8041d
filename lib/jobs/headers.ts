/** The headers of a response that is a job. */

import { maxWaitSeconds } from '../schema/query.ts';
import { isOpen } from './job.ts';
import type { Job } from './schema.ts';

const retryAfterSeconds = 2;

export const jobHeaders = {
  Location: {
    description: 'The address of the job, with `waitSeconds`.',
    value: ({ id }: Job, { path }: { path: string }) =>
      `${projectPath(path)}/jobs/${id}?waitSeconds=${maxWaitSeconds}`,
  },
  'Retry-After': {
    description: 'Seconds to wait before you poll the job again. Omitted when it has ended.',
    value: (job: Job) => (isOpen(job) ? String(retryAfterSeconds) : undefined),
  },
} as const;

/** @returns the part of a path below a project that names the project */
const projectPath = (path: string): string => /^.*?\/projects\/[^/]+/.exec(path)?.[0] ?? '';
