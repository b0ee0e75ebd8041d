import * as z from 'zod';
import { anyOf } from '../../lib/base/scopes.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { isOpen } from '../../lib/jobs/job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { changeJob, jobInPath } from '../../lib/jobs/store.ts';
import {
  describeScopes,
  describeUncancellable,
  jobTypes,
  scopeOf,
  scopesOfJobs,
} from '../../lib/jobs/types.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'jobs.cancel',
  method: 'POST',
  path: '/projects/{project_id}/jobs/{job_id}/cancel',
  summary: 'Cancel a job',
  description:
    'Cancels the job. Its work is not published. Cancelling a cancelled job changes nothing. A job that has ' +
    'succeeded or failed cannot be cancelled. A job that removes data can never be cancelled: ' +
    `${describeUncancellable()}.\n\nThe type of the job decides which scope the request ` +
    `requires:\n\n${describeScopes('write')}`,
  auth: anyOf(...scopesOfJobs('write')),
  project: 'active',
  environments: 'left_out',
  loads: { job: jobInPath },
  scopesForLoaded: ({ job }) => scopeOf(job, 'write'),
  request: { params: z.strictObject({ project_id: id('project'), job_id: id('job') }) },
  causes: ['job.cancelled'],
  removes: 'It ends the job, whose work is not published.',
  responses: { 200: Job },
  errors: ['job_ended', 'job_not_cancellable'],
  access: { jobs: ['UpdateItem'] },

  async handle({ loaded: { job }, store, nowMs }) {
    if (!jobTypes[job.type].cancellable && isOpen(job)) return fail('job_not_cancellable');
    if (job.status === 'cancelled') return { status: 200, data: job };
    // The job has published its index. Only the cleanup is left.
    if (!isOpen(job) || job.result !== null) return fail('job_ended');
    const changes = { status: 'cancelled', finishedAt: timestamp(nowMs), attempt: '' } as const;
    return { status: 200, data: { ...job, ...changes }, writes: [changeJob(store, job, changes)] };
  },
});
