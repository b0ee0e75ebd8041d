import * as z from 'zod';
import { timestamp } from '../../../lib/base/time.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { isOpen, newJob } from '../../../lib/jobs/job.ts';
import { jobHeaders } from '../../../lib/jobs/request-job.ts';
import { Job } from '../../../lib/jobs/schema.ts';
import { changeJob, getJob, putJob } from '../../../lib/jobs/store.ts';
import { flag, id } from '../../../lib/schema/common.ts';
import { deleteSource, knowledgeSourceInPath } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.sources.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/knowledge/sources/{source_id}',
  summary: 'Delete a source',
  description:
    'Deletes the source, and cancels its refresh. The response is 202 with a job, which removes its pages and its documents. ' +
    'Wait for the job at its `Location`. With `keepDocuments=true`, the documents stay, and can be changed from now on.',
  auth: 'knowledge:write',
  project: 'active',
  loads: { source: knowledgeSourceInPath },
  request: {
    params: z.strictObject({ project_id: id('project'), source_id: id('knowledgeSource') }),
    query: z.strictObject({
      keepDocuments: flag().meta({
        description: 'Whether its documents stay.',
        documentedAs: { type: 'boolean', default: false },
      }),
    }),
  },
  causes: ['source.deleted', 'job.created', 'job.cancelled'],
  responses: { 202: Job },
  headers: jobHeaders,
  access: {
    knowledge: ['PutItem', 'UpdateItem', 'DeleteItem'],
    jobs: ['GetItem', 'PutItem', 'UpdateItem'],
  },

  async handle({ loaded: { source }, query, caller, store, nowMs, newId }) {
    const refresh = source.jobId === null ? undefined : await getJob(store, source.jobId);
    const cancellation = { status: 'cancelled', finishedAt: timestamp(nowMs), attempt: '' } as const;
    const job = newJob(newId('job'), 'knowledge.remove-source', caller.principal, nowMs);
    return {
      status: 202,
      data: job,
      writes: [
        ...deleteSource(store, source, job.id, query.keepDocuments === 'true'),
        putJob(store, job),
        ...(refresh && isOpen(refresh) ? [changeJob(store, refresh, cancellation)] : []),
      ],
    };
  },
});
