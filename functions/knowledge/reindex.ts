import * as z from 'zod';
import { defineEndpoint } from '../../lib/endpoint.ts';
import { id } from '../../lib/models/common.ts';
import { Job } from '../../lib/models/job.ts';
import { jobHeaders } from '../../lib/models/job-headers.ts';
import { getLatestJob, isOpen, jobAt, newJob, queueJob } from '../../lib/store/jobs.ts';

export default defineEndpoint({
  id: 'knowledge.reindex',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/reindex',
  summary: 'Re-index the knowledge',
  description:
    'Queues a job that builds the search index of all documents as they are, and publishes it when it is whole: searches ' +
    'find the index before until then. One runs at a time: while one is queued or running, it is the answer, with 200. ' +
    'Where nothing has changed, the job ends within a second with `result.changed` false.',
  auth: 'knowledge:write',
  project: 'active',
  request: { params: z.strictObject({ project_id: id('project') }) },
  responses: { 200: Job, 202: Job },
  headers: jobHeaders,
  access: { jobs: ['GetItem', 'PutItem'] },

  async handle({ params, caller, store, nowMs, newId }) {
    const projectId = params.project_id;
    const { latest, job: running } = await getLatestJob(store, projectId, 'knowledge.reindex');
    if (running && isOpen(jobAt(running, nowMs))) return { status: 200, data: running };
    const job = newJob(newId('job'), 'knowledge.reindex', caller.id, nowMs);
    return { status: 202, data: job, writes: queueJob(store, projectId, job, latest, nowMs) };
  },
});
