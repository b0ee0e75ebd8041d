import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { isOpen, scopeOf } from '../../lib/jobs/job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { changeJob, jobInPath } from '../../lib/jobs/store.ts';
import { id } from '../../lib/schema/common.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'jobs.cancel',
  method: 'POST',
  path: '/projects/{project_id}/jobs/{job_id}/cancel',
  summary: 'Cancel a job',
  description:
    'Cancels the job. What it has built is not published. Cancelling a cancelled job changes nothing. A ' +
    'job that has ended in another way, or that removes data, cannot be cancelled.\n\nAn export requires the scope ' +
    'that reads its content, and other jobs the scope that writes it: `conversations:write` if the type begins with ' +
    '`conversations`.',
  auth: 'knowledge:write',
  alsoFor: ['conversations:read', 'knowledge:read', 'audit:read'],
  project: 'active',
  loads: { job: jobInPath },
  scopeForLoaded: ({ job }) => scopeOf(job, 'write'),
  request: { params: z.strictObject({ project_id: id('project'), job_id: id('job') }) },
  responses: { 200: Job },
  errors: ['job_ended', 'job_not_cancellable'],
  access: { jobs: ['UpdateItem'] },

  async handle({ loaded: { job }, store, nowMs }) {
    if (job.type === 'knowledge.expunge' && isOpen(job)) return fail('job_not_cancellable');
    if (job.status === 'cancelled') return { status: 200, data: job };
    // The job has published its index. Only the cleanup is left.
    if (!isOpen(job) || job.result !== null) return fail('job_ended');
    const changes = { status: 'cancelled', finishedAt: timestamp(nowMs), attempt: '' } as const;
    return { status: 200, data: { ...job, ...changes }, writes: [changeJob(store, job, changes)] };
  },
});
