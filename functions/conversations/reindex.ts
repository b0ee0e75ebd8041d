import * as z from 'zod';
import { defineEndpoint, optional } from '../../lib/http/endpoint.ts';
import { jobHeaders, requestJob } from '../../lib/jobs/request-job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { latestJobOf } from '../../lib/jobs/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.reindex',
  method: 'POST',
  path: '/projects/{project_id}/conversations/reindex',
  summary: 'Re-index the messages',
  description:
    'Queues a job that builds the search index and the statistics of all conversations again, from the stored ' +
    'messages. Requests use the previous index and statistics until the job has succeeded. During the job, ' +
    'you can store, read and erase conversations. A re-index is only necessary if messages are not found, or if ' +
    'statistics are wrong.\n\nIf a job is queued and has not started, the response is 200 with that job. If a job ' +
    'is running, a new job is queued behind it. Wait for the job at its `Location`: each GET returns when the ' +
    'job has ended, or after 20 seconds.',
  auth: 'conversations:write',
  project: 'active',
  loads: { latest: optional(latestJobOf('conversations')) },
  environments: 'none',
  request: { params: z.strictObject({ project_id: id('project') }) },
  causes: ['job.created'],
  responses: { 200: Job, 202: Job },
  headers: jobHeaders,
  errors: ['quota_exceeded'],
  access: { jobs: ['BatchGetItem', 'GetItem', 'PutItem'], limits: ['PutItem', 'Query'] },

  handle: ({ loaded: { latest }, caller, limits, store, nowMs, newId }) =>
    requestJob(store, {
      type: 'conversations.reindex',
      queue: 'conversations',
      latest,
      id: newId('job'),
      caller,
      nowMs,
      quota: limits.quotas.jobs,
    }),
});
