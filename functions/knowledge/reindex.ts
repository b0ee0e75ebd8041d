import * as z from 'zod';
import { defineEndpoint, optional } from '../../lib/http/endpoint.ts';
import { jobHeaders, requestJob } from '../../lib/jobs/request-job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { latestJobOf } from '../../lib/jobs/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'knowledge.reindex',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/reindex',
  summary: 'Re-index the documents',
  description:
    'Queues a job that builds a search index of all documents and publishes it when it is complete. Until then, ' +
    'searches use the previous index. The index includes everything that was stored before this request.\n\nIf a ' +
    'job is queued and has not started, the response is 200 with that job. If a job is running, a new job is ' +
    'queued behind it. Wait for the job at its `Location`: each GET returns when the job has ended, or after 20 ' +
    'seconds. If nothing has changed, the job ends within a second and `result.changed` is false.',
  auth: 'knowledge:write',
  project: 'active',
  loads: { latest: optional(latestJobOf('knowledge')) },
  request: { params: z.strictObject({ project_id: id('project') }) },
  causes: ['job.created'],
  responses: { 200: Job, 202: Job },
  headers: jobHeaders,
  errors: ['quota_exceeded'],
  access: { jobs: ['BatchGetItem', 'GetItem', 'PutItem'], limits: ['PutItem', 'Query'] },

  handle: ({ loaded: { latest }, caller, limits, store, nowMs, newId }) =>
    requestJob(store, {
      type: 'knowledge.reindex',
      queue: 'knowledge',
      latest,
      id: newId('job'),
      caller,
      nowMs,
      quota: limits.quotas.jobs,
    }),
});
