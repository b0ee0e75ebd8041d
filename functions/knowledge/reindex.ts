import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { jobHeaders } from '../../lib/jobs/headers.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { getLatestJob, jobAt, newJob, queueJob, waitsFor } from '../../lib/jobs/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'knowledge.reindex',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/reindex',
  summary: 'Re-index the documents',
  description:
    'Queues a job that builds a search index of all documents and publishes it when it is complete. ' +
    'Until then, searches use the previous index. The index includes everything that was stored before ' +
    'this request.\n\nIf a job is queued and has not started, the response is 200 with that job. If a ' +
    'job is running, a new one is queued behind it. `Location` is where to wait for the job: each GET ' +
    'returns when the job has ended, or after 20 seconds. If nothing has changed, the job ends within a ' +
    'second and `result.changed` is false.',
  auth: 'knowledge:write',
  project: 'active',
  request: { params: z.strictObject({ project_id: id('project') }) },
  responses: { 200: Job, 202: Job },
  headers: jobHeaders,
  access: { jobs: ['GetItem', 'PutItem'] },

  async handle({ params, caller, store, nowMs, newId }) {
    const projectId = params.project_id;
    const { latest, job: last } = await getLatestJob(store, projectId, 'knowledge');
    // It lists the documents after it has started, so it includes all that is stored by now. A job that runs may not.
    const isNext = last?.type === 'knowledge.reindex' && jobAt(last, nowMs).status === 'queued';
    if (isNext) return { status: 200, data: last };
    const job = newJob(newId('job'), 'knowledge.reindex', caller.id, nowMs, waitsFor(last));
    return { status: 202, data: job, writes: queueJob(store, projectId, 'knowledge', job, latest, nowMs) };
  },
});
