import * as z from 'zod';
import { queueImport } from '../../lib/bulk/imports/store.ts';
import { usableUpload } from '../../lib/bulk/imports/uploads/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { newJob } from '../../lib/jobs/job.ts';
import { jobHeaders } from '../../lib/jobs/request-job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.import-file',
  method: 'POST',
  path: '/projects/{project_id}/conversations/import-file',
  summary: 'Import a file of conversations',
  description:
    'Queues a job that imports an uploaded file of JSON lines, plain or compressed with gzip. A line is a ' +
    'conversation as in `POST …/conversations/import`, or as an export writes it. The `id` from an export ' +
    'identifies the conversation; ids of messages and storage times are ignored. A line with only `id` and ' +
    '`messages` continues the conversation of an earlier line.\n\nEach conversation is stored once, even if the ' +
    'file is imported again. A line that cannot be imported does not stop the other lines. The result of the job ' +
    'counts such lines, and lists the first 100 with their numbers. For a credential that is bound to environments, a line with a ' +
    'deployment of another environment fails with `not_found`, and a line of a stored conversation there with ' +
    '`external_id_taken`.\n\nAn upload can be imported once. A file has ' +
    'at most 100 MB, 1 GB without compression, in 1 000 000 lines. A line has at most 8 MB.',
  auth: 'conversations:write',
  project: 'active',
  environments: 'left_out',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ uploadId: id('upload').meta({ description: 'The id of the uploaded file.' }) }),
  },
  causes: ['job.created'],
  responses: { 202: Job },
  headers: jobHeaders,
  access: { jobs: ['GetItem', 'PutItem', 'UpdateItem'] },

  async handle({ body: { uploadId }, caller, limits, store, nowMs, newId }) {
    const upload = await usableUpload(store, uploadId, 'conversations', nowMs);
    const { environments } = caller;
    const job = newJob(newId('job'), 'conversations.import', caller.principal, nowMs, { environments });
    return { status: 202, data: job, writes: queueImport(store, job, upload, limits.quotas) };
  },
});
