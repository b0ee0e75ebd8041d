import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/endpoint.ts';
import { id } from '../../lib/models/common.ts';
import { Job } from '../../lib/models/job.ts';
import { jobHeaders } from '../../lib/models/job-headers.ts';
import { getJob, jobAt } from '../../lib/store/jobs.ts';

export default defineEndpoint({
  id: 'jobs.get',
  method: 'GET',
  path: '/projects/{project_id}/jobs/{job_id}',
  summary: 'Get a job',
  description: 'Ask again after `Retry-After` seconds while the job is queued or running. Kept for 30 days.',
  auth: 'knowledge:read',
  project: 'existing',
  request: { params: z.strictObject({ project_id: id('project'), job_id: id('job') }) },
  responses: { 200: Job },
  headers: { 'Retry-After': jobHeaders['Retry-After'] },
  errors: ['not_found'],
  access: { jobs: ['GetItem'] },

  async handle({ params, store, nowMs }) {
    const job = await getJob(store, params.project_id, params.job_id);
    return job ? { status: 200, data: jobAt(job, nowMs) } : fail('not_found');
  },
});
