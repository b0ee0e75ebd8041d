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
  summary: 'Re-index the knowledge',
  description:
    'Queues a job that builds the search index of all documents as they are, and publishes it when it is whole: until ' +
    'then, searches use the index before. The index includes everything that was stored before the request. The response ' +
    'is 200 with a job that is queued already and has not started, as that one will do. While a job is running, another ' +
    'one is queued behind it. `Location` is where to wait for the end of the job: each GET returns when the job has ended, ' +
    'or after 20 seconds. If nothing has changed, the job ends within a second with `result.changed` false.',
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
