import * as z from 'zod';
import { externalUserId } from '../../lib/conversations/schema/values.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { jobHeaders } from '../../lib/jobs/headers.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { newErasure, putErasure } from '../../lib/jobs/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'conversations.erase',
  method: 'POST',
  path: '/projects/{project_id}/conversations/erase',
  summary: "Erase a user's conversations",
  description:
    'Queues a job that erases all conversations with this `externalUserId`, one by one, as `DELETE` erases one: for ' +
    'good. When the job has succeeded, nothing of them is stored any more, and `result` says how many they were. Those ' +
    'that are created after the request may be erased as well. A repeated request does no harm: its job erases what is ' +
    'there by then.\n\n' +
    'The identifier is in the body, because logs keep addresses. The job does not hold it: only a hash, in ' +
    '`result.externalUserIdSha256`, for those who know it. It also works in an archived project.',
  auth: 'conversations:write',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ externalUserId }),
  },
  responses: { 202: Job },
  headers: jobHeaders,
  access: { jobs: ['PutItem'] },

  async handle({ params, body, caller, store, nowMs, newId }) {
    const job = newErasure(newId('job'), caller.id, nowMs);
    return {
      status: 202,
      data: job,
      writes: putErasure(store, params.project_id, job, body.externalUserId, nowMs),
    };
  },
});
